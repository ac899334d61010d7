// The text of a changeset is the line of the changelog as it stands: a user reads it, so it has no commit and no author.
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`,
  getDependencyReleaseLine: async () => '',
};

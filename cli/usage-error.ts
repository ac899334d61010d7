/** Wrong use of the command line: one plain sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

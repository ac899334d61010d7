#!/usr/bin/env bash
# Publishes the version of package.json unless npm has it, tags the commit and makes a release on GitHub with its section of the
# changelog. With --canary: publishes this commit as VERSION-canary.TIME.COMMIT with the tag `canary`, without a tag in git.
# For .github/workflows/release.yml, where npm gets its identity from GitHub (trusted publishing).
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(node -p 'require("./package.json").version')

if [ "${1:-}" = --canary ]; then
  time=$(git show --no-patch --format=%cd --date=format:%Y%m%d%H%M%S)
  npm version --no-git-tag-version "$version-canary.$time.$(git rev-parse --short HEAD)"
  npm publish --tag canary
  exit
fi

if npm view "specmill@$version" version 2>/dev/null | grep -q .; then
  echo "npm has specmill $version already: nothing to publish."
  exit
fi
npm publish
notes=$(mktemp)
awk -v title="## $version" 'index($0, "## ") == 1 { inside = index($0, title) == 1; next } inside' CHANGELOG.md >"$notes"
gh release create "v$version" --target "$(git rev-parse HEAD)" --title "specmill $version" --notes-file "$notes"
# The tag that workflows name to use the action: v1 is the newest 1.x.
git push --force origin "HEAD:refs/tags/v${version%%.*}"

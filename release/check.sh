#!/usr/bin/env bash
# Checks what a release would publish: what npm would send, the types of each entry point, and the owner's name.
# The build must be there; packages of test/release too (npm ci --prefix test/release).
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

npm run --silent owner -- --check
# Without scripts: they would build again, below the tests that use this build. Without a log-in npm warns and goes on.
npm publish --dry-run --ignore-scripts --loglevel notice 2>&1 | tail -12
npm pack --silent --ignore-scripts --pack-destination "$folder" >/dev/null
test/release/node_modules/.bin/attw "$folder"/specmill-*.tgz --profile esm-only --format table-flipped --no-color --no-emoji

#!/usr/bin/env bash
# Generates the outputs that the repository holds: generated/ and those of the examples. Takes the options of `specmill generate`.
set -euo pipefail
cd "$(dirname "$0")/.."
for config in specmill.config.ts examples/ci/specmill.config.yaml examples/vitest/tasks/specmill.config.ts; do
  node dist/cli/main.js generate --config "$config" "$@"
done

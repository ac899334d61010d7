#!/usr/bin/env bash
# Installs the programs that some tests need and no test installs: Debian's Chromium, for test/server/page, and
# redis-server, for test/stores and for all behaviour tests with STORE=redis.
# Without them these tests are skipped, except in CI.
set -euo pipefail

missing=()
command -v chromium >/dev/null 2>&1 || missing+=(chromium)
command -v redis-server >/dev/null 2>&1 || missing+=(redis-server)
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
"${root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -qq -y --no-install-recommends "${missing[@]}" fonts-dejavu-core

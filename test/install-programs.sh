#!/usr/bin/env bash
# Installs the programs that some tests need and no test installs: Debian's Chromium, for test/server/page,
# redis-server, for test/stores and for all behaviour tests with STORE=redis, and the servers of
# test/contract/real-servers.ts, and gh, Octokit for Ruby and BigQuery for Go, for test/clients.
# Without them these tests are skipped, except in CI.
set -euo pipefail

missing=()
command -v chromium >/dev/null 2>&1 || missing+=(chromium)
command -v redis-server >/dev/null 2>&1 || missing+=(redis-server)
command -v prometheus-alertmanager >/dev/null 2>&1 || missing+=(prometheus-alertmanager)
command -v etcd >/dev/null 2>&1 || missing+=(etcd-server)
[ -x /usr/sbin/pdns_server ] || missing+=(pdns-server pdns-backend-sqlite3)
command -v gh >/dev/null 2>&1 || missing+=(gh)
ruby -e 'require "octokit"' >/dev/null 2>&1 || missing+=(ruby-octokit)
[ -d /usr/share/gocode/src/cloud.google.com/go/bigquery ] || missing+=(golang-go golang-google-cloud-dev)
command -v sqlite3 >/dev/null 2>&1 || missing+=(sqlite3)
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
"${root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -qq -y --no-install-recommends "${missing[@]}" fonts-dejavu-core

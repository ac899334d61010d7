#!/usr/bin/env bash
# Lists notifications with gh. Usage: bash gh.sh localhost:4443 cert.pem
GH_HOST=$1 SSL_CERT_FILE=$2 GH_ENTERPRISE_TOKEN=any gh api notifications --jq '"notifications: \(length)"'

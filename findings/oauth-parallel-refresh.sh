#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 and client 2.4.0 (npm): each of several tool calls that finds the
# access token expired refreshes it by itself, with the same refresh token. An authorization server
# that accepts a refresh token once, as OAuth 2.1 recommends, fails all of them but one, and the
# program opens the browser for each failed call.
#   refreshes of 3 calls at once, sdk: 3
#   refreshes of 3 calls at once, client: 3
#   one use each, sdk: 1 result, browser opened 2 times
#   one use each, client: 1 result, browser opened 2 times
. "$(dirname "$0")/lib.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
. "$findings/oauth.sh"
start_oauth
results='seen.calls.filter((call) => call === "result").length'
for name in sdk client; do
  observe "refreshes of 3 calls at once, $name" 3 \
    "$(seen_by @modelcontextprotocol/$name '{ "milliseconds": 1000 }' seen.refreshes 3)"
done
for name in sdk client; do
  observe "one use each, $name" "1 result, browser opened 2 times" \
    "$(seen_by @modelcontextprotocol/$name '{ "milliseconds": 1000, "oneUse": true }' \
      "\`\${$results} result, browser opened \${seen.opened} times\`" 3)"
done

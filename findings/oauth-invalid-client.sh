#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 and client 2.4.0 (npm): after invalid_client at a refresh they
# delete the client id, which a person may have typed in, and report that the server does not
# support registration, not that it refused the client. After invalid_grant they keep it, and open
# the browser.
#   invalid_client, sdk: client null, Incompatible auth server: does not support dynamic client registration
#   invalid_client, client: client null, Incompatible auth server: does not support dynamic client registration
#   invalid_grant, sdk: client c1, browser opened 1 time
#   invalid_grant, client: client c1, browser opened 1 time
. "$(dirname "$0")/lib.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
. "$findings/oauth.sh"
start_oauth
refused_by() {
  seen_by "@modelcontextprotocol/$1" \
    "{ \"answers\": { \"/token\": { \"status\": 400, \"value\": { \"error\": \"$2\" } } } }" \
    "\`client \${seen.client}, \${seen.opened > 0 ? \`browser opened \${seen.opened} time\` : seen.calls}\`"
}
for name in sdk client; do
  observe "invalid_client, $name" \
    "client null, Incompatible auth server: does not support dynamic client registration" \
    "$(refused_by $name invalid_client)"
done
for name in sdk client; do
  observe "invalid_grant, $name" "client c1, browser opened 1 time" "$(refused_by $name invalid_grant)"
done

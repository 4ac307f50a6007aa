#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2, client 2.4.0 and oauth4webapi 3.8.8 (npm): an issuer with a
# slash at its end, which is the same URL, is accepted by two of them in the metadata, and refused
# by client 2.4.0. oauth4webapi compares the `iss` of the answer by characters.
#   issuer with a slash, sdk: result
#   issuer with a slash, client: refused
#   issuer with a slash, oauth4webapi: accepted
#   iss with another slash, oauth4webapi: unexpected "iss" (issuer) response parameter value
. "$(dirname "$0")/lib.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0 oauth4webapi@3.8.8
. "$findings/oauth.sh"
start_oauth
set_to="{ \"issuer\": \"$origin/\" }"
outcome='seen.calls[0].startsWith("Issuer mismatch") ? "refused" : seen.calls[0]'
observe "issuer with a slash, sdk" result \
  "$(seen_by @modelcontextprotocol/sdk "$set_to" "$outcome")"
observe "issuer with a slash, client" refused \
  "$(seen_by @modelcontextprotocol/client "$set_to" "$outcome")"
cat > discover.mjs <<'JS'
import * as oauth from "oauth4webapi";
const issuer = new URL(process.argv[2]);
const options = { algorithm: "oauth2", [oauth.allowInsecureRequests]: true };
const response = await oauth.discoveryRequest(issuer, options);
const server = await oauth.processDiscoveryResponse(issuer, response);
console.log("accepted");
const answer = new URLSearchParams({ code: "code", iss: issuer.origin });
try {
  oauth.validateAuthResponse(server, { client_id: "c1" }, answer, oauth.expectNoState);
} catch ({ message }) {
  console.log(message);
}
JS
seen=$(node discover.mjs "$origin")
observe "issuer with a slash, oauth4webapi" accepted "$(sed -n 1p <<< "$seen")"
observe "iss with another slash, oauth4webapi" \
  'unexpected "iss" (issuer) response parameter value' "$(sed -n 2p <<< "$seen")"

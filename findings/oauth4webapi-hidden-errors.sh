#!/usr/bin/env bash
# oauth4webapi 3.8.8 (npm): the `error` of a token answer is not read if the status is 5xx, or if
# the answer has WWW-Authenticate, which RFC 6749 section 5.2 requires for a client that tried HTTP
# authentication. The program gets an error without the code.
#   400 invalid_grant: invalid_grant
#   429 temporarily_unavailable: temporarily_unavailable
#   503 temporarily_unavailable: unexpected HTTP status code
#   401 invalid_client: invalid_client
#   401 invalid_client, with WWW-Authenticate: a challenge
. "$(dirname "$0")/lib.sh"
npm_packages oauth4webapi@3.8.8
cat > refresh.mjs <<'JS'
import * as oauth from "oauth4webapi";
const [status, error, challenge] = process.argv.slice(2);
const headers = { "Content-Type": "application/json" };
if (challenge !== undefined) headers["WWW-Authenticate"] = challenge;
const server = { issuer: "https://server.example", token_endpoint: "https://server.example/token" };
const client = { client_id: "c1" };
const answer = () => new Response(JSON.stringify({ error }), { status: Number(status), headers });
const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), "token", {
  [oauth.customFetch]: answer,
});
try {
  await oauth.processRefreshTokenResponse(server, client, response);
} catch (failure) {
  const message = /unexpected HTTP status code|a challenge/.exec(failure.message)?.[0];
  console.log(failure.error ?? message ?? failure.message);
}
JS
observe "400 invalid_grant" invalid_grant "$(node refresh.mjs 400 invalid_grant)"
observe "429 temporarily_unavailable" temporarily_unavailable \
  "$(node refresh.mjs 429 temporarily_unavailable)"
observe "503 temporarily_unavailable" "unexpected HTTP status code" \
  "$(node refresh.mjs 503 temporarily_unavailable)"
observe "401 invalid_client" invalid_client "$(node refresh.mjs 401 invalid_client)"
observe "401 invalid_client, with WWW-Authenticate" "a challenge" \
  "$(node refresh.mjs 401 invalid_client 'Basic realm="records"')"

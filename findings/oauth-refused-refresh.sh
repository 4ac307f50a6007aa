#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 and client 2.4.0 (npm): a refresh that is refused for a moment,
# with 429 or 503 and any JSON, opens the browser for a new sign-in, although the refresh token is
# as good as before. So does server_error in the form of RFC 6749. Only temporarily_unavailable, an
# error of the authorization endpoint that RFC 6749 does not list for the token endpoint, makes the
# call fail and does nothing else.
#   429 {"message":"wait"}, both: browser opened
#   503 {"message":"wait"}, both: browser opened
#   500 {"error":"server_error"}, both: browser opened
#   429 {"error":"temporarily_unavailable"}, both: call failed
#   503 {"error":"temporarily_unavailable"}, both: call failed
. "$(dirname "$0")/lib.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
. "$findings/oauth.sh"
start_oauth
both() {
  local name seen=()
  for name in sdk client; do
    seen+=("$(seen_by @modelcontextprotocol/$name \
      "{ \"answers\": { \"/token\": { \"status\": $1, \"value\": $2 } } }" \
      'seen.opened > 0 ? "browser opened" : seen.calls[0] === "result" ? "result" : "call failed"')")
  done
  [ "${seen[0]}" = "${seen[1]}" ] && echo "${seen[0]}" || echo "${seen[*]}"
}
for status in 429 503; do
  observe "$status {\"message\":\"wait\"}, both" "browser opened" "$(both $status '{"message":"wait"}')"
done
observe '500 {"error":"server_error"}, both' "browser opened" "$(both 500 '{"error":"server_error"}')"
for status in 429 503; do
  observe "$status {\"error\":\"temporarily_unavailable\"}, both" "call failed" \
    "$(both $status '{"error":"temporarily_unavailable"}')"
done

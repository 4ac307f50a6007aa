#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 and client 2.4.0 (npm): if the protected resource's document
# answers 503 once, they continue without it and without an error, ask the resource's origin for the
# authorization server, and leave out the parameter resource, which MCP requires in every request.
#   document answers, both: result, resource http://127.0.0.1/mcp
#   document is 503, both: result, resource null
. "$(dirname "$0")/lib.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
. "$findings/oauth.sh"
start_oauth
resource_of() {
  local name seen=()
  for name in sdk client; do
    seen+=("$(seen_by @modelcontextprotocol/$name "$1" \
      '`${seen.calls}, resource ${seen.resource?.replace(/:\d+/, "") ?? null}`')")
  done
  [ "${seen[0]}" = "${seen[1]}" ] && echo "${seen[0]}" || echo "${seen[*]}"
}
observe "document answers, both" "result, resource http://127.0.0.1/mcp" "$(resource_of '{}')"
observe "document is 503, both" "result, resource null" "$(resource_of \
  '{ "answers": { "/.well-known/oauth-protected-resource/mcp": { "status": 503, "value": {} } } }')"

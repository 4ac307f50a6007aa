#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 and client 2.4.0 (npm): RFC 9110 allows several challenges in
# WWW-Authenticate, in any order. They read the header only if its first word is Bearer: after
# another challenge, its scope and resource_metadata are ignored without an error.
#   Bearer alone, both: read
#   Bearer, then Basic, both: read
#   Basic, then Bearer, both: null
. "$(dirname "$0")/lib.sh"
npm_packages @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
. "$findings/oauth.sh"
start_oauth
# Prints the scope of the sign-in that the program asks for after the challenge.
scope_after() {
  local name seen=() challenge=${1//\"/\\\"}
  for name in sdk client; do
    seen+=("$(seen_by @modelcontextprotocol/$name "{ \"challenge\": \"$challenge\",
      \"answers\": { \"/token\": { \"status\": 400, \"value\": { \"error\": \"invalid_grant\" } } } }" \
      seen.scope)")
  done
  [ "${seen[0]}" = "${seen[1]}" ] && echo "${seen[0]}" || echo "${seen[*]}"
}
bearer="Bearer resource_metadata=\"$origin/.well-known/oauth-protected-resource/mcp\", scope=\"read\""
observe "Bearer alone, both" read "$(scope_after "$bearer")"
observe "Bearer, then Basic, both" read "$(scope_after "$bearer, Basic realm=\"r\"")"
observe "Basic, then Bearer, both" null "$(scope_after "Basic realm=\"r\", $bearer")"

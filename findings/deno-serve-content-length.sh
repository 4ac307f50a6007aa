#!/usr/bin/env bash
# Deno 2.9.6 (npm): Deno.serve keeps a Content-Length that a handler gives to a streamed body. A
# stream that is longer is cut there without an error on either side: `cancel` is not called, the
# rest is read and dropped, and curl ends with 0. A shorter one ends the connection, which curl
# reports as 18. The length that is given to a body of text is ignored.
#   longer stream: 1234567890, curl 0
#   the source of the longer stream: read to its end
#   shorter stream: 12345, curl 18
#   text: 12345, curl 0
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
debian curl 7.88.1-10+deb12u15
cat > serve.ts <<'TS'
const headers = { "Content-Length": "10" };
const encode = (text: string) => new TextEncoder().encode(text);
let source = "unread";
function stream(parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part !== undefined) return controller.enqueue(encode(part));
      source = "read to its end";
      controller.close();
    },
    cancel: () => void (source = "cancelled"),
  }, { highWaterMark: 0 });
}
Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]) }, ({ url }) => {
  if (url.endsWith("/longer")) return new Response(stream(["12345", "67890", "abcde"]), { headers });
  if (url.endsWith("/shorter")) return new Response(stream(["12345"]), { headers });
  if (url.endsWith("/text")) return new Response("12345", { headers });
  return new Response(source);
});
TS
port=$(free_port)
serve "$deno" run --allow-net serve.ts "$port"
wait_for curl --silent "http://127.0.0.1:$port/"

get() {
  local status=0 body
  body=$(curl --silent "http://127.0.0.1:$port/$1") || status=$?
  echo "$body, curl $status"
}

observe "longer stream" "1234567890, curl 0" "$(get longer)"
observe "the source of the longer stream" "read to its end" "$(curl --silent "http://127.0.0.1:$port/")"
observe "shorter stream" "12345, curl 18" "$(get shorter)"
observe text "12345, curl 0" "$(get text)"

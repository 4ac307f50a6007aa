#!/usr/bin/env bash
# Deno 2.9.6 (npm): Deno.serve answers a request with more than 128 header fields itself: 400
# without a body, not the 431 of RFC 6585. Neither the handler nor `onError` is called, so no log of
# the program has it.
#   128 fields: 200
#   129 fields: 400 with 0 bytes
#   calls of the handler and of onError: 1
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
cat > serve.ts <<'TS'
let calls = 0;
const count = () => (calls++, new Response("handled"));
const server = Deno.serve({ port: 0, onListen() {}, onError: count }, count);
async function get(fields: number): Promise<string> {
  const connection = await Deno.connect({ port: server.addr.port });
  const more = Array.from({ length: fields - 2 }, (_, index) => `X-${index}: 1\r\n`).join("");
  const head = `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;
  await connection.write(new TextEncoder().encode(head));
  return await new Response(connection.readable).text();
}
console.log((await get(128)).slice(9, 12));
const refused = await get(129);
console.log(refused.slice(9, 12), "with", refused.split("\r\n\r\n")[1]!.length, "bytes");
console.log(calls);
await server.shutdown();
TS
seen=$("$deno" run --allow-net serve.ts)
observe "128 fields" 200 "$(sed -n 1p <<< "$seen")"
observe "129 fields" "400 with 0 bytes" "$(sed -n 2p <<< "$seen")"
observe "calls of the handler and of onError" 1 "$(sed -n 3p <<< "$seen")"

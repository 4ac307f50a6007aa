#!/usr/bin/env bash
# Deno 2.9.6 (npm): whether the body of a request to Deno.serve is a byte stream depends on the
# network. If the whole body has arrived with its head, getReader({ mode: "byob" }) throws a
# TypeError; if a part of the same body arrives later, it works.
#   body in the packet of the head: TypeError
#   body 300 ms later: byte stream
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
cat > serve.ts <<'TS'
async function handle(request: Request): Promise<Response> {
  try {
    const reader = request.body!.getReader({ mode: "byob" });
    while (!(await reader.read(new Uint8Array(64))).done);
    return new Response("byte stream");
  } catch (error) {
    return new Response((error as Error).name);
  }
}
async function post(pause: number): Promise<string> {
  const connection = await Deno.connect({ port: server.addr.port });
  const send = (text: string) => connection.write(new TextEncoder().encode(text));
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\n";
  if (pause === 0) {
    await send(head + "hello");
  } else {
    await send(head);
    await new Promise((resolve) => setTimeout(resolve, pause));
    await send("hello");
  }
  const answer = await new Response(connection.readable).text();
  return answer.slice(answer.indexOf("\r\n\r\n") + 4);
}
const server = Deno.serve({ port: 0, onListen() {} }, handle);
console.log(await post(0));
console.log(await post(300));
await server.shutdown();
TS
seen=$("$deno" run --allow-net serve.ts)
observe "body in the packet of the head" TypeError "$(sed -n 1p <<< "$seen")"
observe "body 300 ms later" "byte stream" "$(sed -n 2p <<< "$seen")"

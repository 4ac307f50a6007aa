import { assert, assertEquals, assertMatch } from "@std/assert";
import { Acceptor } from "../../../src/http/acceptor.ts";

const ANYWHERE = { hostname: "127.0.0.1", port: 0 };
const CHUNK = Uint8Array.from({ length: 64 * 1024 }, (_, index) => index * index);

Deno.test("Body in chunks is read in small pieces, and completely", async () => {
  let largest = 0;
  const acceptor = new Acceptor(ANYWHERE, async ({ body, headers, method }) => {
    const pieces = await Array.fromAsync(body ?? []);
    largest = Math.max(...pieces.map(({ length }) => length));
    return new Response(new Blob([headers.get("X-Name") ?? "", method, ...pieces]));
  });
  const url = `http://127.0.0.1:${acceptor.address.port}`;
  const request = { method: "PUT", headers: { "X-Name": "name" } };
  const body = await new Blob([CHUNK, CHUNK, CHUNK]).bytes();
  const expected = await new Blob(["namePUT", body]).bytes();
  const inChunks = ReadableStream.from([CHUNK.slice(), CHUNK.slice(), CHUNK.slice()]);
  assertEquals(await (await fetch(url, { ...request, body: inChunks })).bytes(), expected);
  // Pieces are small, within one chunk.
  assert(largest <= 2048, `A piece has ${largest} bytes`);
  assertEquals(await (await fetch(url, { ...request, body })).bytes(), expected);
  assert(largest > 2048, "A body whose length is known is read in small pieces too");
  await acceptor.close();
});

Deno.test("Body in chunks need not be read, and ends if the sender disconnects", async () => {
  const failed = Promise.withResolvers<unknown>();
  const acceptor = new Acceptor(ANYWHERE, async ({ body, url }) => {
    if (url.endsWith("/unread")) return new Response("not read");
    const reader = body?.getReader();
    try {
      while (!(await reader?.read())?.done);
    } catch (error) {
      failed.resolve(error);
    }
    return new Response();
  });
  const { port } = acceptor.address;
  const unread = await fetch(`http://127.0.0.1:${port}/unread`, {
    method: "POST",
    body: ReadableStream.from([CHUNK.slice()]),
  });
  assertEquals(await unread.text(), "not read");
  const connection = await Deno.connect({ port });
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwi";
  await connection.write(new TextEncoder().encode(head));
  connection.close();
  assert(await failed.promise instanceof Error);
  await acceptor.close();
});

for (const isChunked of [false, true]) {
  Deno.test(`Body ${isChunked ? "in chunks" : "of a length"} that is abandoned is not received`, async () => {
    const acceptor = new Acceptor(ANYWHERE, async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response("refused", { status: 400 });
    });
    using connection = await Deno.connect({ port: acceptor.address.port });
    const length = 500 * 1024 * 1024;
    const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
    const part = isChunked
      ? new Uint8Array(await new Blob(["10000\r\n", CHUNK, "\r\n"]).arrayBuffer())
      : CHUNK;
    const answer = answerOn(connection);
    await connection.write(bytesOf(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`));
    const sent = await sendUpTo(connection, part, length);
    assertMatch(await answer, /^HTTP\/1\.1 400 .*refused/s);
    // Only buffered bytes.
    assert(sent < 50 * 1024 * 1024, `${sent} bytes were sent`);
    await acceptor.close();
  });
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Until the connection closes; returns the number of bytes. */
async function sendUpTo(connection: Deno.TcpConn, part: Uint8Array, most: number): Promise<number> {
  let sent = 0;
  try {
    while (sent < most) sent += await connection.write(part.subarray(sent % part.length));
  } catch (error) {
    assert(error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset);
  }
  return sent;
}

/** Until closed or reset. */
async function answerOn(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(4096);
  let text = "";
  try {
    for (let count; (count = await connection.read(buffer)) !== null;) {
      text += new TextDecoder().decode(buffer.subarray(0, count));
    }
  } catch (error) {
    assert(error instanceof Deno.errors.ConnectionReset, String(error));
  }
  return text;
}

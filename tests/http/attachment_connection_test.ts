import { assertEquals, assertMatch } from "@std/assert";
import { createLog } from "../../src/core/log.ts";
import { serve } from "../../src/http/server.ts";
import { filesOf } from "../support/attachments.ts";
import { type Caller, sharedWorld } from "../support/world.ts";

const world = sharedWorld();

/** The application on a loopback port, with a caller. */
interface Listening extends AsyncDisposable {
  readonly caller: Caller;
  connect(): Promise<Deno.TcpConn>;
  /** Once no request runs. */
  drain(): Promise<void>;
}

async function listen(): Promise<Listening> {
  const caller = await world().createCaller();
  const server = serve({ host: "127.0.0.1", port: 0 }, () => world().again(), createLog("silent"));
  let drained: Promise<void> | undefined;
  const drain = () => drained ??= server.stop();
  return {
    caller,
    connect: () => Deno.connect({ hostname: server.hostname, port: server.port }),
    drain,
    [Symbol.asyncDispose]: drain,
  };
}

function head({ caller }: Listening, ...lines: string[]): string {
  return [
    "POST /api/v2/attachments HTTP/1.1",
    "Host: records.example",
    "Connection: close",
    `Authorization: Bearer ${caller.secret}`,
    "Content-Type: text/plain",
    "X-Filename: note.txt",
    ...lines,
    "\r\n",
  ].join("\r\n");
}

async function send(connection: Deno.TcpConn, text: string): Promise<void> {
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(text));
  writer.releaseLock();
}

/** Reads until the connection is closed. */
async function answerOf(connection: Deno.TcpConn): Promise<string> {
  return await new Response(connection.readable).text();
}

async function storedSizes({ caller }: Listening): Promise<number[]> {
  const rows = await world().rows(
    `select size::integer from attachments where owner_id = '${caller.accountId}'`,
  );
  return rows.map(({ size }) => size);
}

async function assertNothingStored(listening: Listening): Promise<void> {
  await listening.drain();
  assertEquals(await storedSizes(listening), []);
  assertEquals(await filesOf(world(), listening.caller.accountId), []);
}

Deno.test("POST attachment accepts a chunked body", async () => {
  await using listening = await listen();
  using connection = await listening.connect();
  await send(connection, head(listening, "Transfer-Encoding: chunked"));
  await send(connection, "4\r\nwiki\r\n5;x=y\r\npedia\r\n");
  await send(connection, "0\r\n\r\n");
  assertMatch(await answerOf(connection), /^HTTP\/1\.1 201 .*"size":9,/s);
  assertEquals(await storedSizes(listening), [9]);
});

Deno.test("POST attachment ends where its Content-Length ends", async () => {
  await using listening = await listen();
  using connection = await listening.connect();
  await send(connection, head(listening, "Content-Length: 4") + "a note that goes on");
  assertMatch(await answerOf(connection), /^HTTP\/1\.1 201 .*"size":4,/s);
  assertEquals(await storedSizes(listening), [4]);
});

Deno.test("POST attachment leaves nothing of a body that is shorter than its Content-Length", async () => {
  await using listening = await listen();
  using connection = await listening.connect();
  await send(connection, head(listening, "Content-Length: 1000") + "a note");
  await connection.closeWrite();
  await answerOf(connection);
  await assertNothingStored(listening);
});

Deno.test("POST attachment leaves nothing of a chunked body that is cut off", async () => {
  await using listening = await listen();
  using connection = await listening.connect();
  await send(connection, head(listening, "Transfer-Encoding: chunked") + "4\r\nwiki\r\n5\r\npe");
  await connection.closeWrite();
  await answerOf(connection);
  await assertNothingStored(listening);
});

Deno.test("POST attachment leaves nothing of a client that disconnects", async () => {
  await using listening = await listen();
  const arriving = watchForFile(world().objectFolder);
  const before = world().log.length;
  const connection = await listening.connect();
  await send(connection, head(listening, "Content-Length: 1000") + "a note");
  await arriving;
  connection.close();
  await assertNothingStored(listening);
  assertEquals(world().log.slice(before).filter(({ level }) => level === "error"), []);
});

async function watchForFile(folder: string): Promise<void> {
  using watcher = Deno.watchFs(folder);
  for await (const event of watcher) {
    if (event.kind === "create") return;
  }
}

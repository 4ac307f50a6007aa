import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import postgres from "postgres";
import { Connection, Silence, type SilenceTimer } from "../../../src/database/connection.ts";
import { ConnectionLostError } from "../../../src/database/failures.ts";
import { waitUntil } from "../../support/wait.ts";
import { SilentServer } from "./silent_server.ts";

interface Line {
  readonly connection: Connection;
  /** The driver's connections. */
  readonly servers: SilentServer[];
  readonly sent: () => string;
}

/** Advanced by the test. */
class ManualTimer implements SilenceTimer {
  #now = 0;
  readonly #set = new Map<() => void, number>();

  readonly now = () => this.#now;

  readonly after = (milliseconds: number, elapsed: () => void) => {
    this.#set.set(elapsed, this.#now + milliseconds);
    return () => {
      this.#set.delete(elapsed);
    };
  };

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [elapsed, due] of [...this.#set]) {
      if (due <= this.#now && this.#set.delete(elapsed)) elapsed();
    }
  }
}

const PATIENCE = 100;

function openLine(
  { answers = 0, timer = new ManualTimer(), silence = new Silence() } = {},
): Line {
  const servers: SilentServer[] = [];
  const socket = () => {
    const server = new SilentServer(answers);
    servers.push(server);
    return server;
  };
  const place = {
    socket,
    host: "silence",
    database: "none",
    username: "nobody",
    fetch_types: false,
  };
  const connection = new Connection(
    (options) => postgres({ ...options, ...place }),
    { silenceTimeout: PATIENCE, silence, timer },
  );
  const decoder = new TextDecoder("latin1");
  const sent = () =>
    servers.flatMap((server) => server.received).map((part) => decoder.decode(part)).join("");
  return { connection, servers, sent };
}

Deno.test("Connection rejects all statements when it is lost, sent and queued", async () => {
  const { connection, servers, sent } = openLine();
  const sql = connection.sql();
  // A parameter delays later statements until it is described.
  const statements = [sql`select ${1}::int`, sql`select ${2}::int`, sql`select 'queued'`];
  const outcomes = Promise.allSettled(statements);
  await waitUntil("the first is sent", () => sent().includes("select $1::int"));
  assertEquals([connection.load, connection.isLost], [3, false]);
  servers[0]?.destroy();
  for (const outcome of await outcomes) assertEquals(outcome.status, "rejected");
  assertEquals([connection.load, connection.isLost, connection.isEstablished], [0, true, false]);
  await connection.close(0);
  assertEquals(servers.length, 1, "the driver connected again");
  assert(!sent().includes("queued"));
});

Deno.test("Connection rejects statements once it is lost", async () => {
  const { connection, servers, sent } = openLine();
  const sql = connection.sql();
  const written = sql`select 'late'`;
  const running = sql`select 'first'`.execute();
  await waitUntil("the first is sent", () => sent().includes("first"));
  servers[0]?.destroy();
  await assertRejects(() => running);
  assertThrows(() => sql`select 'later'`, ConnectionLostError);
  await assertRejects(async () => await written, ConnectionLostError);
  assertEquals(servers.length, 1);
});

Deno.test("Connection does not send a statement whose user has closed it", async () => {
  const { connection, sent } = openLine();
  let isOpen = true;
  const sql = connection.sql(() => isOpen);
  const written = sql`select 'late'`;
  isOpen = false;
  await assertRejects(async () => await written, Error, "has ended");
  assertThrows(() => sql`select 'later'`, Error, "has ended");
  const other = connection.sql()`select 'other'`.execute();
  await waitUntil("another statement is sent", () => sent().includes("other"));
  assert(!sent().includes("late"));
  await connection.close(0);
  await assertRejects(() => other);
});

Deno.test("Connection gives up if its first statement gets no answer", async () => {
  const timer = new ManualTimer();
  const { connection } = openLine({ timer });
  const running = connection.script("commit");
  const refused = assertRejects(() => running, ConnectionLostError);
  timer.pass(PATIENCE - 1);
  assert(!connection.isLost);
  timer.pass(1);
  await refused;
  assert(connection.isLost);
});

Deno.test("Connection gives up on a silent server, counted from its last message", async () => {
  const timer = new ManualTimer();
  const { connection } = openLine({ answers: 3, timer });
  for (let answered = 0; answered < 3; answered++) {
    const running = connection.script("commit");
    timer.pass(PATIENCE - 1);
    await running;
  }
  assertEquals([connection.isEstablished, connection.load], [true, 0]);
  const running = Promise.allSettled([connection.script("commit"), connection.script("commit")]);
  timer.pass(PATIENCE - 1);
  assert(!connection.isLost);
  timer.pass(1);
  for (const outcome of await running) {
    assert(outcome.status === "rejected" && outcome.reason instanceof ConnectionLostError);
  }
  assert(connection.isLost);
});

Deno.test("Connection is not lost by silence while idle or without a time limit", async () => {
  const timer = new ManualTimer();
  const { connection } = openLine({ answers: 1, timer });
  await connection.script("commit");
  timer.pass(10 * PATIENCE);
  assert(connection.isEstablished);
  connection.hasTimeouts = false;
  const outcome = Promise.allSettled([connection.script("commit")]);
  timer.pass(10 * PATIENCE);
  assertEquals([connection.isLost, connection.load], [false, 1]);
  connection.hasTimeouts = true;
  timer.pass(PATIENCE);
  await outcome;
  assert(connection.isLost);
});

Deno.test("Connection gives up if each connection is accepted and closed", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = (async () => {
    for await (const accepted of listener) accepted.close();
  })();
  const { port } = listener.addr;
  const connection = new Connection(
    (options) => postgres({ ...options, host: "127.0.0.1", port, fetch_types: false }),
    { silenceTimeout: 50 },
  );
  await assertRejects(async () => await connection.sql()`select 1`, ConnectionLostError);
  listener.close();
  await accepting;
});

Deno.test("Connection rejects a parameter that would confuse the driver, and sends nothing", async () => {
  const { connection, sent } = openLine();
  const running = connection.sql()`select 'first'`.execute();
  await waitUntil("the first is sent", () => sent().includes("first"));
  const absent = {} as { value: string };
  assertThrows(() => connection.sql()`select ${absent.value}::text`, TypeError);
  assertThrows(() => connection.sql()`select ${new Date(NaN)}::date`, TypeError);
  assertEquals(connection.load, 1);
  await connection.close(0);
  await assertRejects(() => running);
});

Deno.test("Connection is doubtful if idle since before its server was silent on another", async () => {
  const timer = new ManualTimer();
  const silence = new Silence();
  const open = () => openLine({ answers: 1, timer, silence });
  const [idle, waiting, answeredLater, unused] = [open(), open(), open(), open()];
  for (const { connection } of [idle, waiting, answeredLater]) await connection.script("commit");
  timer.pass(1);
  const inVain = assertRejects(() => waiting.connection.script("commit"), ConnectionLostError);
  timer.pass(1);
  const answered = answeredLater.connection.script("commit");
  await waitUntil("it is sent", () => (answeredLater.servers[0]?.received.length ?? 0) > 2);
  const doubtful = () =>
    [idle, waiting, answeredLater, unused].map(({ connection }) => connection.isDoubtful);
  assertEquals(doubtful(), [false, false, false, false]);
  answeredLater.servers[0]?.answer();
  await answered;
  timer.pass(PATIENCE);
  await inVain;
  // Lost, unused or answered connections are not doubtful.
  assertEquals(doubtful(), [true, false, false, false]);
  for (const { connection } of [idle, answeredLater]) await connection.close(0);
});

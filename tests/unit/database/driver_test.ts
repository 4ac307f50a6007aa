/** Undocumented behaviour of the driver that `src/database/connection.ts` relies on. */

import { assert, assertEquals } from "@std/assert";
import postgres from "postgres";
import { waitUntil } from "../../support/wait.ts";
import { SilentServer } from "./silent_server.ts";

/** Used by the service. */
interface DriverQuery extends Promise<unknown> {
  readonly state: object | null;
  reject(error: unknown): void;
  cancel(): void;
}

interface Silence {
  readonly sql: postgres.Sql;
  readonly servers: SilentServer[];
  readonly closed: () => number;
}

function connectToSilence(): Silence {
  const servers: SilentServer[] = [];
  let closed = 0;
  const options = {
    host: "silence",
    database: "none",
    username: "nobody",
    max: 1,
    max_lifetime: 0,
    fetch_types: false,
    onclose: () => {
      closed++;
    },
    socket: () => {
      const server = new SilentServer();
      servers.push(server);
      return server;
    },
  };
  const sql = postgres(options);
  return { sql, servers, closed: () => closed };
}

function query({ sql }: Silence, parameter: number): DriverQuery {
  const written = sql.unsafe("select $1::int", [parameter]) as unknown as DriverQuery;
  written.then(() => {}, () => {});
  return written;
}

Deno.test("The driver sends a query when it is first awaited, and it can be rejected", async () => {
  const silence = connectToSilence();
  const written = silence.sql.unsafe("select $1::int", [1], { prepare: true });
  const statement = written as unknown as DriverQuery;
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals([silence.servers.length, statement.state], [0, null]);
  const outcome = statement.catch((error: Error) => error.message);
  await waitUntil("it is sent", () => statement.state !== null);
  statement.reject(new Error("by reject()"));
  assertEquals(await outcome, "by reject()");
  await silence.sql.end({ timeout: 0 });
});

Deno.test("The driver records that a query was sent, and cancels unsent ones", async () => {
  const silence = connectToSilence();
  const sent = query(silence, 1);
  const queued = query(silence, 2);
  await waitUntil("the first statement is sent", () => sent.state !== null);
  assertEquals([sent.state === null, queued.state], [false, null]);
  const outcome = queued.catch((error) => error.code);
  queued.cancel();
  assertEquals(await outcome, "57014");
  await silence.sql.end({ timeout: 0 });
});

Deno.test("The driver marks a statement as retried before it resends it, and passes its error on", async () => {
  const silence = connectToSilence();
  const options = { prepare: true, simple: false };
  const prepared = () => silence.sql.unsafe("select 1", [], options).execute();
  const first = prepared();
  const sent = () => silence.servers[0]?.received.length ?? 0;
  await waitUntil("it is being prepared", () => sent() === 2);
  silence.servers[0]?.prepare();
  await first;
  const forgotten = prepared();
  const refusals: unknown[] = [];
  Object.defineProperty(forgotten, "retried", {
    set(refusal: unknown) {
      refusals.push(refusal);
      throw new Error("by the trap");
    },
  });
  await waitUntil("it is sent again", () => sent() === 3);
  silence.servers[0]?.forget();
  assertEquals(await forgotten.catch((error: Error) => error.message), "by the trap");
  assertEquals(refusals.map((refusal) => (refusal as { code: string }).code), ["26000"]);
  // The driver writes once per turn of the event loop.
  for (const _ of [1, 2, 3]) await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(sent(), 3);
  await silence.sql.end({ timeout: 0 });
});

Deno.test("The driver reports a loss before it reconnects for queued statements", async () => {
  const silence = connectToSilence();
  const sent = query(silence, 1);
  const queued = query(silence, 2);
  const outcomes = Promise.allSettled([sent, queued]);
  await waitUntil("the first statement is sent", () => sent.state !== null);
  const { options } = silence.sql as unknown as { options: { onclose: () => void } };
  const { onclose } = options;
  let connections = 0;
  options.onclose = () => {
    onclose();
    connections = silence.servers.length;
    queued.cancel();
  };
  silence.servers[0]?.destroy();
  await outcomes;
  assertEquals([silence.closed(), connections, silence.servers.length], [1, 1, 1]);
  await silence.sql.end({ timeout: 0 });
  assert(silence.servers.length === 1, "the driver connected for a cancelled query");
});

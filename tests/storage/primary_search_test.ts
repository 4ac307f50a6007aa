/** Several hosts in `DATABASE_URL`, at most one writable. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { openPostgres } from "../../src/database/postgres.ts";
import { checkServer, DatabaseServerError } from "../../src/database/server_check.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { freePort } from "../support/ports.ts";
import { type ServerDatabase, serverTest } from "./server.ts";

/** A port that accepts connections. */
interface Listening extends Disposable {
  readonly port: number;
  readonly accepted: () => number;
}

function listen(greet: (connection: Deno.Conn) => Promise<unknown>): Listening {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open: Deno.Conn[] = [];
  void (async () => {
    for await (const connection of listener) {
      open.push(connection);
      void greet(connection).catch(() => {});
    }
  })().catch(() => {});
  return {
    port: listener.addr.port,
    accepted: () => open.length,
    [Symbol.dispose]() {
      listener.close();
      for (const connection of open) connection.close();
    },
  };
}

/** Like a frozen machine: connects, but no answer. */
const listenFrozen = () => listen(() => Promise.resolve());

/** Accepts everyone, and reports that it is a standby. */
function listenAsStandby(): Listening {
  const status = (name: string, value: string) =>
    message("S", new TextEncoder().encode(`${name}\0${value}\0`));
  const greeting = [
    message("R", Uint8Array.of(0, 0, 0, 0)),
    status("in_hot_standby", "on"),
    status("default_transaction_read_only", "off"),
    message("Z", new TextEncoder().encode("I")),
  ].flatMap((part) => [...part]);
  return listen(async (connection) => {
    await connection.read(new Uint8Array(10_000));
    await connection.write(Uint8Array.from(greeting));
  });
}

function message(kind: string, content: Uint8Array): Uint8Array {
  const length = new DataView(new ArrayBuffer(4));
  length.setInt32(0, content.length + 4);
  return Uint8Array.of(kind.charCodeAt(0), ...new Uint8Array(length.buffer), ...content);
}

/** The server's URL after other hosts. */
function urlOf({ url }: ServerDatabase, ...ports: number[]): string {
  const others = ports.map((port) => `127.0.0.1:${port},`).join("");
  return url.href.replace("@", `@${others}`);
}

/** Only the other hosts. */
function urlOfOthers(server: ServerDatabase, ...ports: number[]): string {
  return urlOf(server, ...ports).replace(`,${server.url.host}`, "");
}

serverTest(
  "The writable server is found among frozen, closed and following ones",
  async (server) => {
    using frozen = listenFrozen();
    using standby = listenAsStandby();
    const url = urlOf(server, frozen.port, freePort(), standby.port);
    for (const settle of ["start", "statement"] as const) {
      const database = openPostgres(url, 8, { settle });
      try {
        const insert = (name: string) =>
          database.write((sql) => sql`insert into notes values (${name}) returning name`);
        const names = [`${settle} 1`, `${settle} 2`, `${settle} 3`];
        assertEquals(
          (await Promise.all(names.map(insert))).flat(),
          names.map((name) => ({ name })),
        );
        const [limits] = await database.read((sql) => sql`show lock_timeout`);
        assertEquals(limits, { lock_timeout: "3s" });
      } finally {
        await database.close();
      }
    }
    assertEquals((await server.notes()).length, 6);
    assert(frozen.accepted() > 0 && standby.accepted() > 0);
  },
);

serverTest(
  "A session that ended is reopened where writes are accepted",
  async (server) => {
    using frozen = listenFrozen();
    const database = openPostgres(urlOf(server, frozen.port), 2);
    try {
      const ask = () =>
        database.read((sql) => sql<{ pid: number }>`select pg_backend_pid() as pid`);
      const [first] = await ask();
      assert(first !== undefined);
      await server.terminate(first.pid);
      // Requests sent before the loss is noticed fail.
      const [second] = await ask().catch(ask);
      assert(second !== undefined && second.pid !== first.pid);
    } finally {
      await database.close();
    }
  },
);

serverTest(
  "Without a writable host a request is rejected, and each host is asked once",
  async (server) => {
    using standby = listenAsStandby();
    using another = listenAsStandby();
    const url = urlOfOthers(server, standby.port, freePort(), another.port);
    const database = openPostgres(url, 4);
    try {
      const error = await assertRejects(() => database.read((sql) => sql`select 1`), ServiceError);
      assertEquals(error.code, "HTTP_503");
      assertEquals([standby.accepted(), another.accepted()], [1, 1]);
    } finally {
      await database.close();
    }
    const refused = await assertRejects(() => checkServer(url), DatabaseServerError);
    assertEquals(refused.message, "No host of DATABASE_URL can be reached and accepts writes");
  },
);

serverTest("Readers that connect together ask the hosts once", async (server) => {
  using standby = listenAsStandby();
  const database = openPostgres(urlOf(server, standby.port), 16);
  try {
    await Promise.all([1, 2, 3, 4].map(() => database.read((sql) => sql`select 1`)));
    assertEquals(standby.accepted(), 1);
  } finally {
    await database.close();
  }
});

// engines: postgres
/** A lost connection ends its transaction with 503, without partial writes. */

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import type { Database, Tx } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { waitUntil } from "../support/wait.ts";
import { type ServerDatabase, serverTest } from "./server.ts";

async function pidOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

async function assertUnavailable(action: () => Promise<unknown>): Promise<void> {
  const error = await assertRejects(action);
  assert(error instanceof ServiceError, `${error}`);
  assertEquals(error.code, "HTTP_503");
}

/** Opened by a first transaction. */
function lanePid(database: Database): Promise<number> {
  return database.transaction((tx) => pidOf(tx.sql));
}

/** Asserts that the database works as before. */
async function assertRecovered(server: ServerDatabase, database: Database): Promise<void> {
  await database.transaction((tx) => tx.sql`insert into notes values ('after')`);
  await database.transaction((tx) => tx.commitWith(tx.sql`select 1`));
  await database.read((sql) => sql`select 1`);
  assertEquals(await server.notes(), ["after"]);
  const sessions = await server.rows(`
    select state from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
  assertEquals(sessions, []);
}

/** Then statements cannot even be written. */
async function waitUntilNoticed(tx: Tx): Promise<void> {
  await waitUntil("the client notices the loss", () => {
    try {
      tx.sql`select 1`;
      return false;
    } catch {
      return true;
    }
  });
}

serverTest("A connection lost before BEGIN costs at most one response", async (server) => {
  const database = server.open(2);
  await server.terminate(await lanePid(database));
  const write = () => database.transaction((tx) => tx.sql`insert into notes values ('write')`);
  const [outcome] = await Promise.allSettled([write()]);
  if (outcome?.status === "rejected") {
    await assertUnavailable(() => Promise.reject(outcome.reason));
    assertEquals(await server.notes(), []);
  } else {
    assertEquals(await server.notes(), ["write"]);
    await server.rows("delete from notes");
  }
  await assertRecovered(server, database);
});

/** After a loss between two statements. */
const CONTINUATIONS: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  "a statement": (tx) => tx.sql`insert into notes values ('second')`,
  "a reading statement": (tx) => tx.sql`select 1`,
  "several statements": (tx) =>
    Promise.all([1, 2, 3].map((n) => tx.sql`insert into notes values (${`second ${n}`})`)),
  "a script": (tx) => tx.script("insert into notes values ('second')"),
  "its end": () => Promise.resolve(),
  commitWith: (tx) => tx.commitWith(tx.sql`insert into notes values ('second')`),
  "a statement whose failure it swallows": (tx) =>
    Promise.allSettled([tx.sql`insert into notes values ('second')`.execute()]),
};

for (const [what, goOn] of Object.entries(CONTINUATIONS)) {
  for (const noticed of [false, true]) {
    const when = noticed ? "after the client noticed" : "before the client noticed";
    serverTest(`A connection lost before ${what} answers 503, ${when}`, async (server) => {
      const database = server.open(2);
      await assertUnavailable(() =>
        database.transaction(async (tx) => {
          await tx.sql`insert into notes values ('first')`;
          await server.terminate(await pidOf(tx.sql));
          if (noticed) await waitUntilNoticed(tx);
          await goOn(tx);
        })
      );
      await assertRecovered(server, database);
    });
  }
}

serverTest("A transaction that throws after a loss throws its own error", async (server) => {
  const database = server.open(2);
  const thrown = new ServiceError("RECORD_NOT_FOUND");
  const error = await assertRejects(() =>
    database.transaction(async (tx) => {
      await tx.sql`insert into notes values ('first')`;
      await server.terminate(await pidOf(tx.sql));
      await waitUntilNoticed(tx);
      throw thrown;
    })
  );
  assertStrictEquals(error, thrown);
  await assertRecovered(server, database);
});

serverTest("A connection that is lost while it waits for a lock answers 503", async (server) => {
  const database = server.open(2);
  const holder = server.open(2);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = holder.transaction(async (tx) => {
    await tx.sql`select pg_advisory_xact_lock(1)`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const waiting = assertUnavailable(() =>
    database.transaction(async (tx) => {
      await tx.sql`insert into notes values ('first')`;
      await tx.commitWith(tx.sql`select pg_advisory_xact_lock(1)`);
    })
  );
  const pid = await waitForSession(server, "wait_event_type = 'Lock'");
  await server.terminate(pid);
  await waiting;
  release.resolve();
  await holding;
  await assertRecovered(server, database);
});

/** Returns its pid. */
async function waitForSession(server: ServerDatabase, condition: string): Promise<number> {
  let pid = 0;
  await waitUntil(condition, async () => {
    const [row] = await server.rows(`
      select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${condition}`);
    pid = row?.pid ?? 0;
    return pid !== 0;
  });
  return pid;
}

serverTest("Statements queued after a lost one are not sent elsewhere", async (server) => {
  const database = server.open(2);
  const outcomes: Promise<PromiseSettledResult<unknown>[]>[] = [];
  const running = assertUnavailable(() =>
    database.transaction(async (tx) => {
      // The driver waits after unknown statements.
      const statements = [
        tx.sql`select pg_sleep(${60})`,
        tx.sql`insert into notes values (${"queued"})`,
        // Allowed without a transaction, and would outlast it.
        tx.sql`select pg_advisory_lock(${2}::int)`,
      ];
      outcomes.push(Promise.allSettled(statements));
      await Promise.all(statements);
    })
  );
  await server.terminate(await waitForSession(server, "wait_event = 'PgSleep'"));
  await running;
  const [settled = []] = await Promise.all(outcomes);
  assertEquals(settled.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
  await assertRecovered(server, database);
  // Other databases on the server have locks.
  const held = await server.rows(`
    select 1 from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`);
  assertEquals(held, []);
});

serverTest("A COMMIT queued after a lost statement does not commit", async (server) => {
  const database = server.open(2);
  const running = assertUnavailable(() =>
    database.transaction((tx) => {
      tx.sql`insert into notes select 'first' from pg_sleep(${60})`.execute();
      return Promise.resolve("returned without waiting");
    })
  );
  await server.terminate(await waitForSession(server, "wait_event = 'PgSleep'"));
  await running;
  await assertRecovered(server, database);
});

serverTest("A reading connection that is lost answers 503 and is replaced", async (server) => {
  const database = server.open(2);
  for (const noticed of [false, true]) {
    await assertUnavailable(() =>
      database.read(async (sql) => {
        await server.terminate(await pidOf(sql));
        while (noticed) await sql`select 1`;
        await sql`select 1`;
      })
    );
    await database.read((sql) => sql`select 1`);
  }
  const reads = Array.from({ length: 20 }, () => database.read((sql) => sql`select pg_sleep(60)`));
  const outcomes = Promise.allSettled(reads);
  await server.terminate(await waitForSession(server, "wait_event = 'PgSleep'"));
  for (const outcome of await outcomes) {
    assert(outcome.status === "rejected");
    await assertUnavailable(() => Promise.reject(outcome.reason));
  }
  await assertRecovered(server, database);
});

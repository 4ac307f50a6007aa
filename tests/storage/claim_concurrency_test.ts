/** claim_command() with concurrent writers. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Database, Tx } from "../../src/database/database.ts";
import { claimCommand, type ClaimParameters, leaveEnvelope } from "./claim.ts";
import { begin, waitForWaiters } from "./held.ts";
import { serverTest } from "./server.ts";

function newParameters(parts: Partial<ClaimParameters> = {}): ClaimParameters {
  return { owner: ulid(), operation: "record.create:health", target: "", key: "a key", ...parts };
}

async function verdict(database: Database, parameters: ClaimParameters): Promise<string> {
  return (await database.transaction((tx) => claimCommand(tx, parameters))).verdict;
}

serverTest("A key is in progress, then finished once its writer commits", async (server) => {
  const database = server.open(8);
  const parameters = newParameters();
  const writer = await begin(database, async (tx) => {
    assertEquals((await claimCommand(tx, parameters)).verdict, "GO");
    await leaveEnvelope(tx, parameters);
  });
  assertEquals(await verdict(database, parameters), "IN_PROGRESS");
  const reuse = { ...parameters, fingerprint: "another request" };
  assertEquals(await verdict(database, reuse), "IN_PROGRESS");
  assertEquals(await verdict(database, { ...parameters, key: "another" }), "GO");
  await writer.commit();
  assertEquals(await verdict(database, parameters), "REPLAY");
  assertEquals(await verdict(database, reuse), "REUSED");
});

serverTest("A key is free again once its writer rolls back", async (server) => {
  const database = server.open(8);
  const parameters = newParameters();
  const writer = await begin(database, async (tx) => {
    await claimCommand(tx, parameters);
    await leaveEnvelope(tx, parameters);
  });
  assertEquals(await verdict(database, parameters), "IN_PROGRESS");
  await writer.rollBack();
  assertEquals(await verdict(database, parameters), "GO");
});

serverTest(
  "Of many writers with one key, one runs at a time and one writes",
  async (server) => {
    const database = server.open(16);
    const parameters = newParameters();
    const write = () =>
      database.transaction(async (tx) => {
        const { verdict } = await claimCommand(tx, parameters);
        if (verdict === "GO") await leaveEnvelope(tx, parameters);
        return verdict;
      });
    const verdicts = await Promise.all(Array.from({ length: 60 }, write));
    assertEquals(verdicts.filter((one) => one === "GO").length, 1);
    assertEquals(verdicts.filter((one) => !["GO", "REPLAY", "IN_PROGRESS"].includes(one)), []);
    assertEquals(await write(), "REPLAY");
  },
);

serverTest("A claim sees an envelope that was committed while it waited", async (server) => {
  const database = server.open(8);
  const parameters = newParameters({ frozen: true });
  const writer = await begin(database, (tx) => leaveEnvelope(tx, parameters));
  const maintenance = await begin(
    database,
    (tx) => tx.sql`select pg_advisory_xact_lock(maintenance_lock())`,
  );
  // The snapshot precedes the envelope's commit.
  const asked = verdict(database, parameters);
  await waitForWaiters(server, 1);
  await writer.commit();
  await maintenance.commit();
  assertEquals(await asked, "REPLAY");
});

serverTest(
  "Turning maintenance on waits for frozen writes, and later writes wait for it",
  async (server) => {
    const database = server.open(16);
    const frozen = newParameters({ frozen: true });
    const writer = await begin(database, async (tx) => {
      assertEquals((await claimCommand(tx, frozen)).verdict, "GO");
    });
    const order: string[] = [];
    const switching = database.transaction(async (tx) => {
      await tx.sql`select pg_advisory_xact_lock(maintenance_lock())`;
      order.push("switched");
      await tx.sql`update maintenance_window set active = true`;
    });
    await waitForWaiters(server, 1);
    const later = verdict(database, newParameters({ frozen: true }));
    await waitForWaiters(server, 2);
    // Unfrozen writes do not wait.
    assertEquals(await verdict(database, newParameters({ frozen: false })), "GO");
    order.push("writer commits");
    await writer.commit();
    await switching;
    assertEquals(order, ["writer commits", "switched"]);
    assertEquals(await later, "MAINTENANCE");
  },
);

/** Ambiguous if concatenated. */
const LOOK_ALIKES: readonly (readonly [string, string, string])[] = [
  ["a", "b c", "d"],
  ["a b", "c", "d"],
  ["a", "b", "c d"],
  ["a b c", "", "d"],
  ["a", "", "b c d"],
  ["a,b", "c", "d"],
  ["a", "b,c", "d"],
  [`a","b`, "c", "d"],
  ["a", `b","c`, "d"],
  [`a"`, `"b`, "c"],
  ["a", `""b`, "c"],
  ["a\\", "b", "c"],
  ["a", "\\b", "c"],
  ["(a", "b", "c)"],
  ["", "", "abc"],
  ["abc", "", ""],
];

serverTest(
  "Operation, target and key that are equal when joined do not share a lock",
  async (server) => {
    const database = server.open(8);
    const owner = ulid();
    const questions = LOOK_ALIKES.map(([operation, target, key]) =>
      newParameters({ owner, operation, target, key })
    );
    const holder = await begin(database, async (tx) => {
      for (const parameters of questions) {
        assertEquals((await claimCommand(tx, parameters)).verdict, "GO");
      }
    });
    // The account's lock is shared.
    const locks = await server.rows(`
    select distinct classid, objid from pg_locks
     where locktype = 'advisory' and mode = 'ExclusiveLock' and database = (
       select oid from pg_database where datname = current_database())`);
    await holder.commit();
    assertEquals(locks.length, questions.length);
  },
);

serverTest("commitWith() returns its rows only after COMMIT", async (server) => {
  const database = server.open(4);
  await server.rows(`
    create function wait_for_leave() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7);
      return null;
    end $$`);
  await server.rows(`
    create constraint trigger waits after insert on notes deferrable initially deferred
      for each row execute function wait_for_leave()`);
  const guard = await begin(database, (tx) => tx.sql`select pg_advisory_xact_lock(7)`);
  let returned = false;
  const writing = database.transaction(async (tx) => {
    await tx.commitWith(tx.sql`insert into notes values ('note') returning name`);
    returned = true;
  });
  await waitForWaiters(server, 1);
  const [{ query }] = await server.rows(
    "select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  assertEquals([query, returned, await server.notes()], ["commit", false, []]);
  await guard.commit();
  await writing;
  assertEquals([returned, await server.notes()], [true, ["note"]]);
});

serverTest("Of two writers neither commits half a record", async (server) => {
  const database = server.open(8);
  const [{ account_id: owner }] = await server.rows(`
    insert into accounts (account_id, email, email_key, display_name, password_hash, created_at)
    values ('${ulid()}', 'a@b', 'a@b', 'Person', 'none', now()) returning account_id`);
  const at = "2026-11-20T12:00:00.000Z";
  const [recordId, first, second] = [ulid(), ulid(), ulid()];
  const ledger = (tx: Tx, revision: number, id: string) =>
    tx.sql`
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
    values (${owner}, ${recordId}, 'health', ${revision}::int, ${id},
            ${revision === 1 ? "CREATED" : "MODIFIED"}, '', '', '{}', ${at})`;
  await database.transaction(async (tx) => {
    await tx.sql`
      insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                           recorded_at, created_at, updated_at, title, summary, payload)
      values (${owner}, ${recordId}, 'health', 1, ${first}, 'SEED', ${at}, ${at}, ${at}, '', '', '{}')`;
    await ledger(tx, 1, first);
  });
  for (const firstToEnd of ["root", "ledger"]) {
    const root = await begin(database, (tx) =>
      tx.sql`
      update records set revision = 2, revision_id = ${second} where record_id = ${recordId}`);
    const entry = await begin(database, (tx) => ledger(tx, 2, second));
    const ends = firstToEnd === "root" ? [root, entry] : [entry, root];
    for (const end of ends) {
      const outcome = await end.commit().then(() => "committed", (error) => error.code);
      assertEquals(outcome, end === root ? "23503" : "PRS05", firstToEnd);
    }
  }
});

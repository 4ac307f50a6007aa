// engines: postgres
/** `CommandRunner` with concurrent writes, on a server. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { ChangeWork, Command } from "../../src/command/command.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import type { Database } from "../../src/database/database.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import {
  changeOf,
  createEntry,
  ENTRY_TABLES,
  type EntryRow,
  expireEntry,
  found,
  moveEntry,
  newCommand,
  newEntry,
} from "./entries.ts";
import { waitUntil } from "../support/wait.ts";
import { begin, waitForBlocked } from "./held.ts";
import { type ServerDatabase, serverTest } from "./server.ts";

interface Scene {
  readonly database: Database;
  readonly runner: CommandRunner;
  readonly owner: string;
  readonly entry: EntryRow;
}

async function setScene(server: ServerDatabase, parts: Partial<EntryRow> = {}): Promise<Scene> {
  const database = server.open(8);
  await database.transaction((tx) => tx.script(ENTRY_TABLES));
  const [runner, owner, entry] = [new CommandRunner(database), ulid(), newEntry(parts)];
  await runner.run(newCommand({ owner, key: null }), {
    decide: () => createEntry(owner, entry),
    replay: () => Promise.reject(new Error("Nothing was to be replayed")),
  });
  return { database, runner, owner, entry };
}

/** The written state or the error code. */
async function endOf(run: Promise<{ readonly result: EntryRow }>): Promise<string> {
  return await run.then(
    ({ result }) => result.state,
    (error) => {
      if (error instanceof ServiceError) return error.code;
      throw error;
    },
  );
}

/** The decision counts links in its own statement. */
function linksOf(owner: string, entryId: string): ChangeWork<EntryRow, EntryRow, number> {
  return {
    ...changeOf(owner, entryId),
    related: async (sql) =>
      (await sql`select 1 from entry_links where owner_id = ${owner} and entry_id = ${entryId}`)
        .length,
    decide: (root, links) => moveEntry(owner, found(root), `${links} links`),
  };
}

serverTest("A decision sees what was committed while it waited for its root", async (server) => {
  const { database, runner, owner, entry } = await setScene(server);
  const { replay, lock } = changeOf(owner, entry.entry_id);
  const holder = await begin(database, async (tx) => {
    await lock(tx.sql);
    await tx.sql`insert into entry_links values (${owner}, ${entry.entry_id}, ${entry.entry_id})`;
  });
  const changing = runner.run(newCommand({ owner }), {
    ...linksOf(owner, entry.entry_id),
    replay,
  });
  await waitForBlocked(server, 1);
  await holder.commit();
  assertEquals((await changing).result.state, "1 links");
});

serverTest("Of many decisions about one root each sees the earlier ones", async (server) => {
  const { runner, owner, entry } = await setScene(server);
  const { replay } = changeOf(owner, entry.entry_id);
  const states = await Promise.all(Array.from({ length: 20 }, async () => {
    const { result } = await runner.run(newCommand({ owner }), {
      ...linksOf(owner, entry.entry_id),
      decide: (root: EntryRow | null, links) => ({
        ...moveEntry(owner, found(root), `${links} links`),
        preceding: (sql) => [
          sql`insert into entry_links values (${owner}, ${entry.entry_id}, ${entry.entry_id})`,
        ],
      }),
      replay,
    });
    return result.state;
  }));
  const expected = Array.from({ length: 20 }, (_, index) => `${index} links`);
  assertEquals(states.toSorted(), expected.toSorted());
});

serverTest(
  "One of many commits the move before its error, and the others see it",
  async (server) => {
    const { runner, owner, entry } = await setScene(server);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        endOf(runner.run(newCommand({ owner }), {
          ...changeOf(owner, entry.entry_id),
          decide: (root: EntryRow | null) => {
            if (found(root).state === "EXPIRED") throw new ServiceError("MEMORY_STATE_CONFLICT");
            return expireEntry(owner, found(root), new ServiceError("REVISION_CONFLICT"));
          },
        }))),
    );
    assertEquals(
      outcomes.filter((code) => code === "REVISION_CONFLICT").length,
      1,
    );
    assertEquals(outcomes.filter((code) => code === "MEMORY_STATE_CONFLICT").length, 19);
    const audit = await server.rows("select 1 from audit_entries where credential_kind = 'SYSTEM'");
    assertEquals(audit.length, 1);
  },
);

serverTest("An error before the claim does not wait for its key", async (server) => {
  const { database, owner, entry } = await setScene(server, { state: "SEALED" });
  const command = newCommand({ owner });
  const change = (isRefusedBefore: boolean) => {
    const code = "MEMORY_STATE_CONFLICT";
    return endOf(new CommandRunner(database).run(command, {
      ...changeOf(owner, entry.entry_id),
      ...(isRefusedBefore && { before: () => Promise.reject(new ServiceError(code)) }),
      decide: (root: EntryRow | null) => moveEntry(owner, found(root), "CHANGED"),
    }));
  };
  const holder = await begin(database, (tx) =>
    tx.sql`
      select verdict from claim_command(${owner}, ${command.scope}, '', ${command.key?.key ?? null},
                                        '\\x01', 'key 1', false)`);
  // Without an error before the claim the key's holder is met.
  assertEquals(await change(false), "IDEMPOTENCY_IN_PROGRESS");
  const many = await Promise.all(Array.from({ length: 20 }, () => change(true)));
  assertEquals(new Set(many), new Set(["MEMORY_STATE_CONFLICT"]));
  await holder.rollBack();
});

serverTest("Of two processes that prepare under one key, one writes", async (server) => {
  const { database, owner } = await setScene(server);
  const command: Command = newCommand({ owner });
  const both = Promise.withResolvers<void>();
  let preparing = 0;
  const runOnce = () =>
    new CommandRunner(database).run<never, EntryRow>(command, {
      async prepare() {
        if (++preparing === 2) both.resolve();
        await both.promise;
        return { decide: () => createEntry(owner, newEntry()) };
      },
      replay: ({ recordId }) => Promise.resolve(newEntry({ entry_id: recordId, state: "AGAIN" })),
    });
  const outcomes = await Promise.all([endOf(runOnce()), endOf(runOnce())]);
  assertEquals(outcomes.filter((state) => state === "OPEN").length, 1, `${outcomes}`);
  assertEquals((await server.rows("select 1 from entries")).length, 2);
  assertEquals(await endOf(runOnce()), "AGAIN");
  assertEquals(preparing, 2);
});

serverTest("Of many that want one name, one gets it, and each key stays usable", async (server) => {
  const { runner, owner } = await setScene(server);
  const name = ulid();
  const commands = Array.from({ length: 20 }, () => newCommand({ owner }));
  const create = (command: Command, wanted: string) =>
    endOf(runner.run(command, {
      decide: () => createEntry(owner, newEntry({ name: wanted })),
      replay: () => Promise.resolve(newEntry({ state: "AGAIN" })),
      constraints: { entry_name_unique: "MEMORY_STATE_CONFLICT" },
    }));
  const outcomes = await Promise.all(commands.map((command) => create(command, name)));
  assertEquals(outcomes.filter((state) => state === "OPEN").length, 1);
  const again = await Promise.all(commands.map((command) => create(command, ulid())));
  assertEquals(again, outcomes.map((state) => state === "OPEN" ? "AGAIN" : "OPEN"));
});

serverTest(
  "A transaction that loses its lock decides again",
  async (server) => {
    const { database, runner, owner, entry } = await setScene(server);
    const { lock, ...change } = changeOf(owner, entry.entry_id);
    let decisions = 0;
    const holder = await begin(
      database,
      (tx) => tx.sql`insert into entries values (${owner}, ${ulid()}, 1, 'OPEN', 'wanted')`,
    );
    const changing = endOf(runner.run(newCommand({ owner }), {
      ...change,
      lock,
      decide: (root: EntryRow | null) => ({
        ...moveEntry(owner, found(root), `decided ${++decisions} times`),
        preceding: (sql) => [
          // For the first attempt only.
          sql`select set_config('lock_timeout', ${decisions === 1 ? "50ms" : "20s"}, true)`,
          sql`insert into entries values (${owner}, ${ulid()}, 1, 'OPEN', 'wanted')`,
        ],
      }),
    }));
    await waitForBlocked(server, 1);
    await waitUntil("the second attempt has decided", () => decisions === 2);
    await holder.rollBack();
    assertEquals(await changing, "decided 2 times");
  },
);

/** Concurrent imports, alone and with other writes. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  introduce,
  PROFILE,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  STAGES,
} from "../families/identity/api.ts";
import { bringIn, IMPORT_BODY, imported } from "../families/identity/import.ts";
import { holdAfterWrite } from "../http/held_database.ts";
import { assertFailure, walkPages } from "../http/kernel.ts";
import { post, read } from "../families/memory/api.ts";
import { waitForBlocked } from "../storage/held.ts";
import {
  type Caller,
  callerOf,
  ENGINE,
  fileWorld,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const shared = fileWorld();

const world = sharedWorld();

const { version: _version, conflictMode: _mode, ...LIFE } = IMPORT_BODY;

async function countAll(caller: Caller): Promise<number[]> {
  const counts = [STAGES, ROLES, SNAPSHOTS].map(async (path) =>
    (await walkPages(caller, path)).flat().length
  );
  return await Promise.all(counts);
}

Deno.test("Of concurrent first imports one makes the profile, and nothing is made twice", async () => {
  for (const mode of ["REJECT", "CREATE_SNAPSHOT"]) {
    const caller = await world().createCaller();
    const there = callerOf(world().again(), caller);
    const answers = await Promise.all(
      [caller, there, caller, there].map((caller) => bringIn(caller, LIFE, mode)),
    );
    const done = answers.filter(({ status }) => status === 200).map(({ body }) => body.data);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertFailure(answer, "IDENTITY_STATE_CONFLICT");
    }
    assert(mode === "REJECT" ? done.length === 1 : done.length >= 1);
    const { revision } = await read(caller, PROFILE);
    assertEquals(revision, done.length);
    // Each later import also froze the state before it.
    assertEquals(await countAll(caller), [2, 2, 2 + done.length - 1]);
  }
});

Deno.test("Concurrent imports of one life create each object once", async () => {
  for (let round = 0; round < 3; round++) {
    const caller = await world().createCaller();
    await introduce(caller);
    const there = callerOf(world().again(), caller);
    const results = await Promise.all(
      [caller, there, caller, there].map((caller) => imported(caller, LIFE)),
    );
    assertEquals(results.map(({ revision }) => revision).sort(), [2, 3, 4, 5]);
    assertEquals(await countAll(caller), [2, 2, 2 + 4]);
    const first = results.find(({ revision }) => revision === 2);
    const all = { stages: 2, roles: 2, snapshots: 2 };
    assertEquals(first.created, all);
    for (const each of results.filter((result) => result !== first)) {
      assertEquals(each.skipped, all);
    }
  }
});

Deno.test({
  name: "A first import that waits for another's profile blocks no stage",
  ignore: ENGINE === "embedded",
  async fn() {
    const world = shared();
    const caller = await world.createCaller();
    const owner = caller.accountId;
    const [at, end] = ["2020-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
    const [written, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const undone = new Error("Undone");
    const first = world.database.transaction(async ({ sql }) => {
      await sql`
        insert into identity_profiles (owner_id, profile_id, revision, revision_id, created_at, updated_at,
                                       display_name, tags)
        values (${owner}, ${ulid()}, 1, ${ulid()}, ${at}, ${at}, 'Ada', '[]')`;
      written.resolve();
      await goOn.promise;
      // A stored stage of the other import would deadlock.
      await sql`set local lock_timeout = '200ms'`;
      await sql`
        insert into identity_stages (owner_id, stage_id, revision, revision_id, created_at, updated_at,
                                     life_stage, title, started_at, ended_at)
        values (${owner}, ${ulid()}, 1, ${ulid()}, ${at}, ${at}, 'OTHER', 'A title', ${at}, ${end})`;
      throw undone;
    }).catch((error) => error);
    await written.promise;
    const waiting = bringIn(caller, LIFE);
    await waitForBlocked(world, 1);
    goOn.resolve();
    assertEquals(await first, undone);
    assertEquals((await waiting).status, 200);
    assertEquals(await countAll(caller), [2, 2, 2]);
  },
});

/** First write, import, and expected result. */
const OVERTAKEN: readonly {
  readonly first: (caller: Caller) => Promise<TestResponse>;
  readonly assert: (second: TestResponse, caller: Caller) => Promise<void>;
}[] = [
  {
    first: (caller) => post(caller, STAGES, stageBody(2024, 2026)),
    assert: async (second, caller) => {
      assertFailure(second, "IDENTITY_STATE_CONFLICT");
      assertEquals(await countAll(caller), [1, 0, 0]);
    },
  },
  {
    first: (caller) => post(caller, ROLES, roleBody(2009)),
    assert: async (second, caller) => {
      assertEquals(second.body.data?.revision, 3, second.text);
      const { currentRole, displayName } = await read(caller, PROFILE);
      assertEquals([currentRole, displayName], ["Role of 2009", "Eda"]);
    },
  },
  {
    first: (caller) => bringIn(caller, LIFE),
    assert: async (second, caller) => {
      assertEquals(second.body.data?.skipped, { stages: 2, roles: 2, snapshots: 2 }, second.text);
      assertEquals(await countAll(caller), [2, 2, 4]);
    },
  },
];

Deno.test({
  name: "An import that waited for a write decides by its result",
  ignore: ENGINE === "embedded",
  async fn() {
    for (const { first, assert } of OVERTAKEN) {
      const world = shared();
      const held = holdAfterWrite(world.database);
      const caller = await world.createCaller();
      await introduce(caller);
      const sent = first(callerOf(world.again({ database: held.database }), caller));
      await held.reached;
      const waiting = bringIn(caller, LIFE);
      await waitForBlocked(world, 1);
      held.letGo();
      const [written, second] = await Promise.all([sent, waiting]);
      assertEquals(written.status < 300, true, written.text);
      await assert(second, caller);
    }
  },
});

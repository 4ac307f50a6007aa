// engines: postgres
/** Seeding by the operator's commands on each engine. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { Database } from "../../src/database/database.ts";
import { seedCatalog } from "../../src/operator/seed/catalog.ts";
import { seedDemo } from "../../src/operator/seed/demo.ts";
import { DEMO_MEMORIES, DEMO_RECORDS } from "../../src/operator/seed/demo/samples.ts";
import { QUESTION_BANK } from "../../src/operator/seed/question_bank.ts";
import { lifeAt } from "../../src/operator/seed/sample.ts";
import {
  assertWritesNothing,
  COMMITMENT,
  pathOf,
  setMaintenance,
  walkPages,
} from "../http/kernel.ts";
import { introduce } from "../families/identity/api.ts";
import { read, TEXTS } from "../families/memory/api.ts";
import { type Caller, fileWorld, type Json, type World } from "../support/world.ts";
import { writingInTransactions } from "../support/single_writes.ts";
import { demoLife } from "./demo_life.ts";
import { emailOf, refusalOf, servicesOf } from "./operator.ts";
import { assertIndexed } from "./search_rows.ts";

type Routine = "catalog" | "demo";

/** Seeds as the operator's command does. */
async function seed(world: World, routine: Routine, caller: Caller): Promise<string> {
  const command = readCommand({ command: `seed ${routine}`, owner: emailOf(caller) });
  return (await runAdminCommand(servicesOf(world), command)).join("\n");
}

function over(world: World, database: Database) {
  return { ...servicesOf(world), database };
}

/** All transactions after the first few fail, like a dying process. */
function breakingAfter(real: Database, transactions: number): Database {
  let left = transactions;
  return writingInTransactions({
    ...real,
    transaction: (use) => {
      if (left-- > 0) return real.transaction(use);
      return Promise.reject(new Error("The process has died"));
    },
  });
}

/** Archived ones included. */
async function recordsOf(caller: Caller, moduleCode: string): Promise<Json[]> {
  const path = `/api/v2/records/${moduleCode}`;
  return (await walkPages(caller, path, { archived: "include", limit: "100" })).flat();
}

const GENERIC = CATALOG.modules.filter(({ access: entry }) => entry === "GENERIC").map(({ code }) =>
  code
);

const world = fileWorld();

Deno.test("Question bank is created once for each owner, as seeded records that read back completely", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller("VIEWER")];
  await seed(world(), "catalog", other);
  assertEquals((await recordsOf(other, "interview")).length, QUESTION_BANK.length);
  const count = QUESTION_BANK.length;
  await seed(world(), "catalog", caller);
  await assertWritesNothing(world(), () => seed(world(), "catalog", caller));
  const records = await recordsOf(caller, "interview");
  const byTitle = new Map(records.map((record) => [record.title, record]));
  assertEquals([records.length, byTitle.size], [count, count]);
  for (const { title, theory, priority, question, followUp } of QUESTION_BANK) {
    const { sourceType, payload } = byTitle.get(title);
    assertEquals(sourceType, "SEED");
    assertEquals(payload, {
      question,
      theorySource: theory,
      priorityScore: priority,
      followUp,
      interviewStatus: "CANDIDATE",
    });
  }
});

Deno.test("Question that its owner rewrote and archived is not created again, even without envelopes", async () => {
  const caller = await world().createCaller();
  await seed(world(), "catalog", caller);
  const [first] = await recordsOf(caller, "interview");
  await caller.call("PATCH", pathOf(first), { body: { title: "In my own words" } });
  await caller.call("POST", `${pathOf(first)}/archive`);
  await world().raw(`
    alter table idempotency_envelopes disable trigger all;
    delete from idempotency_envelopes;
    alter table idempotency_envelopes enable always trigger fixed;
    alter table idempotency_envelopes enable always trigger retained`);
  await assertWritesNothing(world(), () => seed(world(), "catalog", caller));
});

Deno.test("Sample life fills every module of the kernel, with revisions and archived records", async () => {
  const { world, caller, said } = await demoLife();
  assertMatch(said, /^Added \d+ items to the account$/);
  for (const moduleCode of GENERIC) {
    const records = await recordsOf(caller, moduleCode);
    const expected = DEMO_RECORDS.filter((sample) => sample.moduleCode === moduleCode);
    assert(expected.length >= 2, moduleCode);
    assertEquals(records.length, expected.length, moduleCode);
    for (const record of records) {
      assertEquals(record.sourceType, "SEED");
      assertEquals(await read(caller, pathOf(record)), record);
    }
  }
  const all = (await Promise.all(GENERIC.map((code) => recordsOf(caller, code)))).flat();
  assert(all.some(({ archivedAt }) => archivedAt !== null));
  assert(all.some(({ revision, archivedAt }) => revision > 1 && archivedAt === null));
  const memories = (await walkPages(caller, TEXTS)).flat();
  assertEquals(memories.length, DEMO_MEMORIES.length);
  for (const { sourceType } of await recordsOf(caller, "memory")) assertEquals(sourceType, "SEED");
  await assertIndexed(world);
});

Deno.test("Sample life's records are accepted again by the current policy", async () => {
  const { caller } = await demoLife();
  for (const moduleCode of GENERIC) {
    for (const record of await recordsOf(caller, moduleCode)) {
      const { payload, revision } = record;
      const response = await caller.call("PATCH", pathOf(record), { body: { payload } });
      assertEquals([response.status, response.body.data?.revision], [200, revision], response.text);
    }
  }
});

Deno.test("Sample life's files can be read, and belong to its records", async () => {
  const { caller } = await demoLife();
  for (const { payload } of await recordsOf(caller, "media")) {
    const path = `/api/v2/attachments/${payload.fileId}`;
    const { size } = await read(caller, path);
    const { text } = await caller.call("GET", `${path}/content`);
    assertEquals(new TextEncoder().encode(text).length, size);
  }
});

Deno.test("Sample life is created once", async () => {
  const { world, caller } = await demoLife();
  await assertWritesNothing(world, async () => {
    assertMatch(
      await seed(world, "demo", caller),
      /^Nothing was changed: all \d+ items already existed/,
    );
  });
});

Deno.test("Sample life is rejected for an owner with a record, archived or typed, or a profile", async () => {
  const [archived, typed, given, introduced] = [
    await world().createCaller(),
    await world().createCaller(),
    await world().createCaller(),
    await world().createCaller(),
  ] as const;
  const record = await archived.create("commitment", COMMITMENT);
  await archived.call("POST", `${pathOf(record)}/archive`);
  const body = { title: "A", memoryType: "EVENT", originalContent: "B" };
  assertEquals((await typed.call("POST", TEXTS, { key: "k", body })).status, 201);
  await seed(world(), "catalog", given);
  await introduce(introduced);
  await assertWritesNothing(world(), async () => {
    for (const caller of [archived, typed, given, introduced]) {
      assertEquals(
        await refusalOf(seed(world(), "demo", caller)),
        "The account already has records or a profile: a sample life would mix with them",
      );
    }
  });
});

Deno.test("Interrupted sample life continues where it stopped", async () => {
  const { world, caller: whole } = await demoLife();
  const caller = await world.createCaller();
  for (const transactions of [2, 60]) {
    const services = over(world, breakingAfter(world.database, transactions));
    await seedDemo(services, emailOf(caller)).then(
      () => assert(false, "the run ended"),
      ({ message }) => assertEquals(message, "The process has died"),
    );
  }
  const mine = await caller.create("commitment", COMMITMENT, "Of my own, meanwhile");
  assertMatch(await seed(world, "demo", caller), /^Added \d+ items to the account/);
  for (const moduleCode of [...GENERIC, "memory", "decision", "resource", "taxonomy"]) {
    const shown = (records: Json[]) =>
      records.filter(({ recordId }) => recordId !== mine.recordId)
        .map(({ title, revision, archivedAt }) => [title, revision, archivedAt === null]);
    const [again, once] = [
      await recordsOf(caller, moduleCode),
      await recordsOf(whole, moduleCode),
    ];
    assertEquals(shown(again).sort(), shown(once).sort(), moduleCode);
  }
  const decision = ["analyses", "counterfactuals", "outcomes", "predictions", "simulations"];
  const identity = ["comparisons", "profile_revisions", "roles", "snapshots", "stage_revisions"];
  const tables = [
    ...decision.map((kind) => `decision_${kind}`),
    ...identity.map((kind) => `identity_${kind}`),
    "resource_snapshots",
    "taxonomy_assignments",
  ];
  for (const table of tables) {
    const counts = await world.rows(
      `select count(*)::integer as count from ${table}
        where owner_id in ('${caller.accountId}', '${whole.accountId}') group by owner_id`,
    );
    assertEquals(counts.length, 2, table);
    assertEquals(counts[0], counts[1], table);
  }
});

Deno.test("Maintenance window rejects both routines, whatever remains to do", async () => {
  const { world, caller: done } = await demoLife();
  const fresh = await world.createCaller();
  await setMaintenance(world, true);
  await assertWritesNothing(world, async () => {
    for (const routine of ["catalog", "demo"] as const) {
      for (const caller of [fresh, done]) {
        const refusal = await refusalOf(seed(world, routine, caller));
        assertEquals(refusal, "Writing is paused for maintenance", routine);
      }
    }
    for (
      const [entryPoint, run] of [["seed.catalog", seedCatalog], ["seed.demo", seedDemo]] as const
    ) {
      const { code, details } = await run(servicesOf(world), emailOf(fresh)).then(
        () => assert(false, entryPoint),
        (error) => error,
      );
      assertEquals([code, details], ["SYSTEM_MAINTENANCE", {
        scope: "ORDINARY_WRITES",
        entryPoint,
      }]);
    }
  });
  await setMaintenance(world, false);
});

Deno.test("Routines find their account by email, and reject a disabled one", async () => {
  const caller = await world().createCaller();
  const nobody = readCommand({ command: "seed demo", owner: "nobody@example.org" });
  const refusal = await refusalOf(runAdminCommand(servicesOf(world()), nobody));
  assertEquals(refusal, "No account has this email");
  await world().raw(
    `update accounts set disabled_at = now() where account_id = '${caller.accountId}'`,
  );
  for (const routine of ["catalog", "demo"] as const) {
    assertEquals(await refusalOf(seed(world(), routine, caller)), "The account is disabled");
  }
});

Deno.test("Audit trail shows a routine's writes as the account's, through the operator", async () => {
  const { caller } = await demoLife();
  const entries = (await walkPages(caller, "/api/v2/audit", { limit: "100" })).flat();
  const { accountId } = caller;
  // The service itself readies proposals.
  const byService = entries.filter(({ credentialKind }) => credentialKind === "SYSTEM");
  assertEquals(byService.map(({ actorId, operation }) => [actorId, operation]), [
    [accountId, "relationship.proposal.ready"],
  ]);
  const byOperator = entries.filter((entry) => !byService.includes(entry));
  for (const { actorId, credentialKind, credentialId } of byOperator) {
    assertEquals([actorId, credentialKind, credentialId], [accountId, "ADMIN", accountId]);
  }
  assertEquals(new Set(byOperator.map(({ requestId }) => requestId)).size, 1);
  assertEquals(
    [...new Set(entries.map(({ operation }) => operation))].sort(),
    [
      "attachment.create",
      "decision.analysis.create",
      "decision.archive",
      "decision.counterfactual.create",
      "decision.create",
      "decision.modify",
      "decision.outcome.create",
      "decision.prediction.create",
      "decision.simulation.create",
      "identity.comparison.create",
      "identity.profile.create",
      "identity.profile.modify",
      "identity.role.create",
      "identity.snapshot.create",
      "identity.stage.archive",
      "identity.stage.create",
      "identity.stage.modify",
      "memory.create",
      "record.archive",
      "record.create",
      "record.modify",
      "relationship.contact.control",
      "relationship.contact.create",
      "relationship.detail.create",
      "relationship.evidence.control",
      "relationship.evidence.create",
      "relationship.experience.create",
      "relationship.person.archive",
      "relationship.person.create",
      "relationship.person.modify",
      "relationship.person.restore",
      "relationship.proposal.confirm",
      "relationship.proposal.create",
      "relationship.proposal.ready",
      "relationship.status.set",
      "resource.archive",
      "resource.create",
      "resource.modify",
      "resource.snapshot.create",
      "seed.demo",
      "taxonomy.assignment.create",
      "taxonomy.category.create",
      "taxonomy.tag.create",
      "taxonomy.tag.deactivate",
      "taxonomy.tag.rename",
    ],
  );
});

Deno.test("Names of seeded items are unique and known", () => {
  const titles = QUESTION_BANK.map(({ title }) => title);
  assertEquals(new Set(titles).size, titles.length);
  assert(titles.length >= 40 && titles.length <= 60);
  const names = DEMO_RECORDS.map(({ moduleCode, title }) => `${moduleCode}/${title}`);
  assertEquals(new Set(names).size, names.length);
  const life = lifeAt(new Date("2026-11-20T12:00:00.000Z"), new Map());
  assertEquals(
    DEMO_MEMORIES.length,
    new Set(DEMO_MEMORIES.map((memory) => life.fill(memory).title)).size,
  );
  assertThrows(() => life.id("action/Nothing of the kind"), Error, "has not made");
  assertEquals([life.ago(1), life.ahead(2, 23)], [
    "2026-11-19T09:00:00.000Z",
    "2026-11-22T23:00:00.000Z",
  ]);
});

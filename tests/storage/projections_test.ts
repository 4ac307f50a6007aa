// engines: postgres
/** Many projections and executions in few statements. */

import { assertEquals, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { TAXONOMY } from "../../src/catalog/modules/taxonomy.ts";
import type { Command, PlannedWrite } from "../../src/command/command.ts";
import type { ClaimRow } from "../../src/command/ledger.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import { databaseFailure } from "../../src/database/failures.ts";
import {
  executionEntries,
  type ExecutionRow,
  manyProjectionEntries,
  type Projection,
} from "../../src/records/port.ts";
import { sharedWorld } from "../support/world.ts";
import { newCommand } from "./entries.ts";
import { countStatements, type Sent } from "./sent_statements.ts";

const world = sharedWorld();

const AT = new Date("2026-11-20T12:00:00.123Z");
const LATER = new Date("2026-11-21T12:00:00.000Z");

function newProjection(parts: Partial<Projection> = {}): Projection {
  return {
    recordId: ulid(),
    module: TAXONOMY,
    change: "CREATED",
    revision: 1,
    revisionId: ulid(),
    createdAt: AT,
    updatedAt: AT,
    archivedAt: null,
    title: 'Título ✓ "quoted" \\ and\ttab',
    summary: "",
    // Exact numbers and member order.
    payload: { b: 0.1, a: "line\nbreak 🚀", c: [1e21, null, true] },
    clocks: null,
    unshown: {},
    guard: null,
    ...parts,
  };
}

function newExecution(projection: Projection): ExecutionRow {
  return {
    execution_id: ulid(),
    record_id: projection.recordId,
    module_code: projection.module.code,
    feature_id: "TAX-008",
    strategy: "import",
    revision: projection.revision,
    status: "SUCCEEDED",
    output: '{"b": 1,  "a": 2}',
    created_at: AT,
  };
}

async function write(
  command: Command,
  projections: readonly Projection[],
  executions: readonly ExecutionRow[] = [],
): Promise<Sent> {
  const { database, sent } = countStatements(world().database);
  const owner = command.caller.account.accountId;
  await new CommandRunner(database).run(command, {
    decide: (): PlannedWrite<null> => ({
      subjectId: projections[0]?.recordId ?? "",
      revision: 1,
      result: null,
      statement: (sql, ledger) =>
        sql<ClaimRow>`
          with ${ledger.claim}, ${manyProjectionEntries(sql, owner, projections)},
               ${executionEntries(sql, owner, executions)}, ${ledger.ctes}
          select verdict, envelope from claim`,
    }),
    replay: () => Promise.resolve(null),
  });
  return sent;
}

const countOf = async (table: string, owner: string) =>
  (await world().rows(`select 1 from ${table} where owner_id = '${owner}'`)).length;

Deno.test("Two hundred roots and executions of a command are one statement", async () => {
  const { accountId: owner } = await world().createCaller();
  const projections = Array.from({ length: 200 }, () => newProjection());
  const sent = await write(newCommand({ owner }), projections, projections.map(newExecution));
  assertEquals(sent, { reads: 0, writes: 1, transactions: 0, statements: 1 });
  const counts = ["records", "record_revisions", "executions", "audit_entries"];
  assertEquals(await Promise.all(counts.map((table) => countOf(table, owner))), [200, 200, 200, 1]);
});

Deno.test("Projections are stored exactly, new and changed ones together", async () => {
  const { accountId: owner } = await world().createCaller();
  const [kept, archived] = [newProjection({ sourceType: "IMPORT" }), newProjection()];
  await write(newCommand({ owner }), [kept, archived]);
  const next: Projection = {
    ...archived,
    change: "ARCHIVED",
    revision: 2,
    revisionId: ulid(),
    updatedAt: LATER,
    archivedAt: LATER,
    title: "Archived",
    guard: "memory.secret",
  };
  const added = newProjection();
  await write(newCommand({ owner }), [next, added]);
  const rows = await world().rows(`
    select r.record_id, r.revision, r.title, r.payload::text as payload, r.source_type, r.guard,
           r.created_at, r.updated_at, r.archived_at, v.change, v.revision_id
      from records r join record_revisions v using (owner_id, record_id, revision)
     where r.owner_id = '${owner}'`);
  const shown = new Map(rows.map(({ record_id, ...row }) => [record_id, row]));
  for (const projection of [kept, next, added]) {
    assertEquals(shown.get(projection.recordId), {
      revision: projection.revision,
      title: projection.title,
      payload: '{"b":0.1,"a":"line\\nbreak 🚀","c":[1e+21,null,true]}',
      source_type: projection.sourceType ?? "USER_INPUT",
      guard: projection.guard,
      created_at: projection.createdAt,
      updated_at: projection.updatedAt,
      archived_at: projection.archivedAt,
      change: projection.change,
      revision_id: projection.revisionId,
    });
  }
  assertEquals(await countOf("record_revisions", owner), 4);
});

Deno.test("An execution's output is stored to the character", async () => {
  const { accountId: owner } = await world().createCaller();
  const projection = newProjection();
  const execution = newExecution(projection);
  await write(newCommand({ owner }), [projection], [execution]);
  const [row] = await world().rows(`
    select output::text as output, created_at from executions where owner_id = '${owner}'`);
  assertEquals(row, { output: execution.output, created_at: AT });
});

Deno.test("A replay of a command with many roots writes none again", async () => {
  const { accountId: owner } = await world().createCaller();
  const command = newCommand({ owner });
  await write(command, [newProjection(), newProjection()]);
  await write(command, [newProjection(), newProjection()]);
  assertEquals(await countOf("records", owner), 2);
});

Deno.test("A next revision of a missing record leaves nothing", async () => {
  const [{ accountId: owner }, { accountId: other }] = [
    await world().createCaller(),
    await world().createCaller(),
  ];
  const foreign = newProjection();
  await write(newCommand({ owner: other }), [foreign]);
  const next = { ...foreign, change: "MODIFIED", revision: 2, revisionId: ulid() } as const;
  const error = await assertRejects(() => write(newCommand({ owner }), [newProjection(), next]));
  assertEquals(databaseFailure(error)?.sqlstate, "23503");
  assertEquals([await countOf("records", owner), await countOf("audit_entries", owner)], [0, 0]);
  const [row] = await world().rows(`select revision from records where owner_id = '${other}'`);
  assertEquals(row, { revision: 1 });
});

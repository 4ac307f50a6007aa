/** What raw SQL cannot do to analyses and the ledger of their revisions, whatever role it runs in. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import {
  analysisRevisionOf,
  insertAnalysis,
  newAnalysis,
  nextAnalysis,
  stepAnalysis,
  updateAnalysis,
} from "./analysis_rows.ts";
import { insertInto, refusal, type Row } from "./rows.ts";

const world = sharedWorld();

async function storedAnalysis(): Promise<Row> {
  const stored = newAnalysis((await world().person()).accountId);
  await world().raw(insertAnalysis(stored));
  return stored.analysis;
}

/** The statement is refused, also by the roles that ordinary triggers keep quiet for. */
async function assertRefusedToAll(statement: string, expected: string): Promise<void> {
  for (const role of ["origin", "replica", "local"]) {
    const script = `set local session_replication_role = ${role}; ${statement}`;
    assertEquals(await refusal(world(), script), expected, script);
  }
}

Deno.test("An analysis keeps its owner, identifier, decision and creation", async () => {
  const [analysis, other] = [await storedAnalysis(), await storedAnalysis()];
  const changes: Row[] = [
    { owner_id: other.owner_id ?? null },
    { analysis_id: ulid() },
    { decision_id: other.decision_id ?? null },
    { created_at: "2020-01-01T00:00:00.000Z" },
  ];
  for (const change of changes) {
    await assertRefusedToAll(updateAnalysis(analysis, nextAnalysis(analysis, change)), "PRS04");
  }
});

Deno.test("No analysis goes away, and no revision of one changes or goes", async () => {
  const { analysis_id: id } = await storedAnalysis();
  const ledger = "decision_analysis_revisions";
  for (
    const statement of [
      `delete from decision_analyses where analysis_id = '${id}'`,
      "truncate decision_analyses cascade",
      `delete from ${ledger} where analysis_id = '${id}'`,
      `update ${ledger} set scores = '{}' where analysis_id = '${id}'`,
      `truncate ${ledger} cascade`,
    ]
  ) {
    await assertRefusedToAll(statement, "PRS01");
  }
});

Deno.test("An analysis' revision rises by one and with its ledger row, which equals it", async () => {
  const analysis = await storedAnalysis();
  const skipped = nextAnalysis(nextAnalysis(analysis));
  await assertRefusedToAll(updateAnalysis(analysis, skipped), "PRS03");
  await assertRefusedToAll(updateAnalysis(analysis, { ...analysis, totals: "[1]" }), "PRS03");
  const ahead = analysisRevisionOf(nextAnalysis(analysis));
  await assertRefusedToAll(insertInto("decision_analysis_revisions", ahead), "PRS05");
  const forgeries: Row = {
    revision_id: ulid(),
    created_at: "2026-11-20T12:00:00.001Z",
    decision_revision: 2,
    criteria: "[0]",
    scores: "{ }",
    totals: "[0]",
    ranking: "[0]",
    sensitivity: "{}",
  };
  for (const [column, value] of Object.entries(forgeries)) {
    await assertRefusedToAll(stepAnalysis(analysis, {}, { [column]: value }), "PRS05");
  }
  assertEquals(await refusal(world(), stepAnalysis(analysis, { ranking: "[2]" })), null);
});

Deno.test("No analysis can lie below another owner's decision", async () => {
  const [mine, other] = [await world().person(), await storedAnalysis()];
  const { decision, analysis } = newAnalysis(mine.accountId, {
    decision_id: other.decision_id ?? null,
  });
  const refused = await refusal(world(), insertAnalysis({ decision, analysis }));
  assertEquals(refused, "23503 analysis_of_decision");
});

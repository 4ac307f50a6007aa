/** What raw SQL cannot do to a simulation, whatever role it runs in. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { decide, decisionPath, SIMULATION } from "../http/decision.ts";
import { done } from "../http/memory.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { insertInto, literal, refusal, type Row } from "./rows.ts";

const world = sharedWorld();

const ROOTS = "decision_simulations";
const LEDGER = "decision_simulation_revisions";

/** A stored simulation: its root and its only revision. */
async function storedSimulation(): Promise<{ readonly root: Row; readonly revision: Row }> {
  const person = await world().person();
  const list = decisionPath(await decide(person), "/simulations");
  const { simulationId } = await done(person, list, SIMULATION);
  const rowOf = async (table: string, columns: string): Promise<Row> => {
    const rows = await world().rows(`
      select ${columns}, seed::text, options::text, results::text
        from ${table} where simulation_id = ${literal(simulationId)}`);
    assertEquals(rows.length, 1);
    return { ...rows[0] };
  };
  const common =
    "owner_id, simulation_id, revision, revision_id, decision_revision, algorithm, runs";
  return {
    root: await rowOf(
      ROOTS,
      `${common}, decision_id, created_at::text as created_at, updated_at::text as updated_at`,
    ),
    revision: await rowOf(LEDGER, `${common}, change, created_at::text as created_at`),
  };
}

/** Another simulation of the same decision, with other columns in root and ledger. */
function insertAnother(
  { root, revision }: { readonly root: Row; readonly revision: Row },
  columns: Row = {},
  ofRevision: Row = columns,
): string {
  const own: Row = { simulation_id: ulid(), revision_id: ulid() };
  return insertInto(ROOTS, { ...root, ...own, ...columns }) +
    insertInto(LEDGER, { ...revision, ...own, ...ofRevision });
}

Deno.test("No statement changes or removes a simulation or its revision", async () => {
  const { root } = await storedSimulation();
  const named = `where simulation_id = ${literal(root.simulation_id ?? null)}`;
  const attacks: [string, string][] = [
    [`update ${ROOTS} set results = '[1, 2]' ${named}`, "PRS03"],
    [`update ${ROOTS} set revision = 2, seed = 7 ${named}`, "23514 simulation_has_one_revision"],
    [`update ${ROOTS} set revision = 2, decision_id = '${ulid()}' ${named}`, "PRS04"],
    [`update ${LEDGER} set results = '[1, 2]' ${named}`, "PRS01"],
    ...[ROOTS, LEDGER].flatMap((table): [string, string][] => [
      [`delete from ${table} ${named}`, "PRS01"],
      [`truncate ${table} cascade`, "PRS01"],
    ]),
  ];
  for (const [statement, expected] of attacks) {
    for (const role of ["origin", "replica", "local"]) {
      const script = `set local session_replication_role = ${role}; ${statement}`;
      assertEquals(await refusal(world(), script), expected, script);
    }
  }
});

Deno.test("A simulation has one revision, which equals it in every figure", async () => {
  const stored = await storedSimulation();
  assertEquals(await refusal(world(), insertAnother(stored)), null);
  const forged: Row[] = [
    { seed: "43" },
    { runs: 999 },
    { options: `[{}, {}]` },
    { results: String(stored.root.results).replace("0.411", "0.4110") },
  ];
  for (const columns of forged) {
    const script = insertAnother(stored, {}, columns);
    assertEquals(await refusal(world(), script), "PRS05", JSON.stringify(columns));
  }
  const second = insertInto(LEDGER, { ...stored.revision, revision: 2, revision_id: ulid() });
  assertEquals(await refusal(world(), second), "PRS05");
  const alone = insertInto(ROOTS, {
    ...stored.root,
    ...{ simulation_id: ulid(), revision_id: ulid() },
  });
  assertEquals(await refusal(world(), alone), `23503 ${ROOTS}_have_revision`);
});

Deno.test("A simulation is of a revision that its own decision has", async () => {
  const [stored, other]: Json[] = [await storedSimulation(), await storedSimulation()];
  const wrong: Row[] = [
    { decision_revision: 2 },
    { decision_id: other.root.decision_id },
    { decision_id: ulid() },
  ];
  for (const columns of wrong) {
    const { decision_id: _, ...ofRevision } = columns;
    const script = insertAnother(stored, columns, ofRevision as Row);
    assertEquals(await refusal(world(), script), "23503 simulation_of_decision");
  }
});

// engines: postgres
/** Taxonomy invariants at COMMIT, attacked with raw SQL in any role. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import { changeRow, insertOwned, insertRow, newRow, stepRow } from "./family_rows.ts";
import {
  assertRefusedToAll,
  AT,
  insertInto,
  insertRecord,
  isRow,
  literal,
  newRoot,
  nextRoot,
  refusal,
  type Row,
} from "./rows.ts";
import {
  CATEGORIES,
  mergeInto,
  namesOf,
  newAssignment,
  removeNames,
  TAGS,
} from "../families/taxonomy/rows.ts";

const world = sharedWorld();

const MOVE = { ...CATEGORIES, change: "MOVED" };

/** Stores nested categories with their own owner. */
async function storedChain(length: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let level = 0; level < length; level++) {
    const owner = rows[0]?.owner_id ?? ulid();
    const parent_id = rows.at(-1)?.term_id ?? null;
    const row = newRow(CATEGORIES, String(owner), { parent_id });
    await world().raw(level === 0 ? insertOwned(CATEGORIES, row) : insertRow(CATEGORIES, row));
    rows.push(row);
  }
  return rows;
}

/** Stores two tags with their own owner, and a record. */
async function storedTags(): Promise<{ source: Row; target: Row; record: Row }> {
  const source = newRow(TAGS, ulid());
  const target = newRow(TAGS, String(source.owner_id));
  const record = newRoot(String(source.owner_id));
  await world().raw(insertOwned(TAGS, source) + insertRow(TAGS, target) + insertRecord(record));
  return { source, target, record };
}

function moveTo(row: Row, parent: Row): string {
  return stepRow(MOVE, row, nextRoot(row, { parent_id: parent.term_id ?? null }));
}

async function assertPasses(script: string): Promise<void> {
  assertEquals(await refusal(world(), script), null, script);
}

Deno.test("No category becomes its own descendant, in one step or several", async () => {
  const [first, second, third] = await storedChain(3);
  for (const parent of [first, second, third]) {
    await assertRefusedToAll(world(), moveTo(first as Row, parent as Row), "PRS05");
  }
  const owner = String(first?.owner_id);
  const [left, right] = [newRow(CATEGORIES, owner), newRow(CATEGORIES, owner)];
  await world().raw(insertRow(CATEGORIES, left) + insertRow(CATEGORIES, right));
  const crossed = moveTo(left, right) + moveTo(right, left);
  await assertRefusedToAll(world(), crossed, "PRS05");
  // Only the final state counts.
  const back = stepRow(MOVE, nextRoot(left, { parent_id: right.term_id ?? null }), {
    ...nextRoot(nextRoot(left)),
    parent_id: null,
  });
  await assertPasses(moveTo(left, right) + moveTo(right, left) + back);
});

Deno.test("No category reaches a ninth level, nor a descendant of a moved one", async () => {
  const levels = await storedChain(8);
  const owner = String(levels[0]?.owner_id);
  const ninth = newRow(CATEGORIES, owner, { parent_id: levels[7]?.term_id ?? null });
  await assertRefusedToAll(world(), insertRow(CATEGORIES, ninth), "PRS05");
  const root = newRow(CATEGORIES, owner);
  const below = newRow(CATEGORIES, owner, { parent_id: root.term_id ?? null });
  await world().raw(insertRow(CATEGORIES, root) + insertRow(CATEGORIES, below));
  await assertRefusedToAll(world(), moveTo(root, levels[6] as Row), "PRS05");
  await assertPasses(moveTo(root, levels[5] as Row));
});

Deno.test("No active category has an inactive parent", async () => {
  const [parent, child] = await storedChain(2) as [Row, Row];
  const end = { deactivated_at: AT };
  const ended = stepRow(CATEGORIES, parent, nextRoot(parent, end));
  await assertRefusedToAll(world(), ended, "PRS05");
  const bothEnded = ended + stepRow(CATEGORIES, child, nextRoot(child, end));
  await assertPasses(bothEnded);
  const inactive = nextRoot(child, end);
  const used = stepRow(CATEGORIES, inactive, nextRoot(inactive, { deactivated_at: null }));
  await assertRefusedToAll(world(), used, "PRS05");
  const below = newRow(CATEGORIES, String(parent.owner_id), { parent_id: parent.term_id ?? null });
  await assertRefusedToAll(world(), insertRow(CATEGORIES, below), "PRS05");
  await assertPasses(insertRow(CATEGORIES, { ...below, deactivated_at: AT }));
});

Deno.test("The names of a term are its name and aliases, in order", async () => {
  const { source, target } = await storedTags();
  const [name = {}, alias = {}] = namesOf(source);
  const { derived: _, ...alone } = TAGS;
  const without = { ...alone, derived: removeNames };
  const renamed = nextRoot(source, { name: "Another" });
  const realiased = nextRoot(source, { aliases: `["Other","Others"]` });
  const unnamed = newRow(TAGS, String(source.owner_id));
  const attacks = [
    `delete from taxonomy_names where ${isRow("term_id", source)};`,
    `delete from taxonomy_names where ${isRow("term_id", source)} and position = 1;`,
    insertInto("taxonomy_names", { ...alias, compared: "more", position: 2, spelling: "More" }),
    // Another term, place or spelling.
    removeNames(source) +
    insertInto("taxonomy_names", { ...name, term_id: target.term_id ?? null, position: 2 }),
    removeNames(source) + insertInto("taxonomy_names", { ...name, position: 1 }) +
    insertInto("taxonomy_names", { ...alias, position: 0 }),
    removeNames(source) + insertInto("taxonomy_names", { ...name, spelling: "Spelt" }) +
    insertInto("taxonomy_names", alias),
    stepRow(alone, source, renamed),
    stepRow(alone, source, realiased),
    stepRow(without, source, renamed),
    insertRow(alone, unnamed),
    insertRow(without, unnamed),
  ];
  for (const attack of attacks) await assertRefusedToAll(world(), attack, "PRS05");
  for (const change of [`spelling = 'x'`, `compared = 'x'`, "position = position"]) {
    await assertRefusedToAll(world(), `update taxonomy_names set ${change}`, "PRS01");
  }
  const taken = { ...namesOf(target)[0], term_id: source.term_id ?? null, position: 2 };
  assertEquals(
    await refusal(world(), insertInto("taxonomy_names", taken)),
    "23505 taxonomy_names_pkey",
  );
  await assertPasses(stepRow(TAGS, source, realiased));
});

Deno.test("A merged tag has no names and records, and cannot change", async () => {
  const { source, target, record } = await storedTags();
  const assignment = newAssignment(source, record);
  await world().raw(insertInto("taxonomy_assignments", assignment));
  const named = isRow("assignment_id", assignment);
  const over = `update taxonomy_assignments set term_id = ${
    literal(target.term_id ?? null)
  } where ${named};`;
  await assertRefusedToAll(world(), mergeInto(source, target), "PRS05");
  // Only merges change it.
  await assertRefusedToAll(world(), over, "PRS04");
  await assertRefusedToAll(
    world(),
    over + mergeInto(source, newRow(TAGS, String(source.owner_id))),
    "PRS04",
  );
  const { derived: _, ...keepingNames } = { ...TAGS, change: "MERGED" };
  const columns = { merged_into: target.term_id ?? null, deactivated_at: AT };
  const withNames = over + stepRow(keepingNames, source, nextRoot(source, columns));
  await assertRefusedToAll(world(), withNames, "PRS05");
  await assertPasses(over + mergeInto(source, target));
  const merged = nextRoot(source, columns);
  for (const change of [{}, { merged_into: null }, { name: "Other" }, { deactivated_at: null }]) {
    await assertRefusedToAll(world(), changeRow(TAGS, merged, nextRoot(merged, change)), "PRS04");
  }
  const late = newAssignment(merged, record);
  await assertRefusedToAll(world(), insertInto("taxonomy_assignments", late), "PRS05");
});

Deno.test("An assignment is immutable, and stays removed", async () => {
  const { source, target, record } = await storedTags();
  const assignment = newAssignment(source, record);
  const elsewhere = newAssignment(source, record, { module_code: "health" });
  await assertRefusedToAll(world(), insertInto("taxonomy_assignments", elsewhere), "PRS05");
  await world().raw(insertInto("taxonomy_assignments", assignment));
  assertEquals(
    await refusal(world(), insertInto("taxonomy_assignments", newAssignment(source, record))),
    "23505 taxonomy_assignment_once",
  );
  const change = (columns: string) =>
    `update taxonomy_assignments set ${columns} where ${isRow("assignment_id", assignment)};`;
  const fixed = [
    `assignment_id = '${ulid()}'`,
    `owner_id = '${ulid()}'`,
    `record_id = '${ulid()}'`,
    "module_code = 'health'",
    "assigned_at = assigned_at - interval '1 second'",
  ];
  for (const columns of fixed) await assertRefusedToAll(world(), change(columns), "PRS04");
  await assertPasses(change(`removed_at = '${AT}'`));
  for (const columns of ["removed_at = null", "removed_at = now()", "removed_at = removed_at"]) {
    await assertRefusedToAll(world(), change(columns), "PRS04");
  }
  await assertPasses(insertInto("taxonomy_assignments", newAssignment(source, record)));
  await assertPasses(insertInto("taxonomy_assignments", newAssignment(target, record)));
});

// engines: embedded
/**
 * The rules of erasure, compared with the tables: a row that refers to a row that goes must go too.
 */

import { assert, assertEquals } from "@std/assert";
import { ErasedIds } from "../../src/erasure/erased_ids.ts";
import { erasableRows, ERASURE_RULES } from "../../src/erasure/rules.ts";
import { BACKED_UP_TABLES } from "../../src/operator/backup/tables.ts";
import { fileWorld, type Json } from "../support/world.ts";
import { ROOT_KINDS } from "./root_kinds.ts";

const world = fileWorld();

/** Foreign keys to rows that go with their account alone, or with the same root in any case. */
const OWNERS: readonly string[] = ["owner_id", "account_id"];

Deno.test("Every table of a backup has a rule, whose columns it has", async () => {
  const tables = BACKED_UP_TABLES.map(({ name }) => name);
  assertEquals(Object.keys(ERASURE_RULES).sort(), tables.toSorted());
  const columns = await world().rows(`
    select table_name::text as name, column_name::text as column_name
      from information_schema.columns where table_schema = 'public'`);
  const known = new Set(columns.map((row: Json) => `${row.name}.${row.column_name}`));
  for (const table of tables) {
    const rule = erasableRows(table);
    if (rule === null) continue;
    const { account, belongsTo = {}, own = [] } = rule;
    for (const column of [account, ...Object.keys(belongsTo), ...own.slice(0, 1)]) {
      assert(known.has(`${table}.${column}`), `${table}.${column}`);
    }
  }
});

Deno.test("Every table with an account goes with it, unless its rows stay", async () => {
  const owned = await world().rows(`
    select table_name::text as name, column_name::text as owner
      from information_schema.columns
     where table_schema = 'public' and column_name in ('owner_id', 'account_id')`);
  for (const { name, owner } of owned as Json[]) {
    if (!(name in ERASURE_RULES)) continue;
    const rule = erasableRows(name);
    if (rule !== null) assertEquals(rule.account, owner, name);
  }
});

Deno.test("Row that refers to one that goes belongs to the same", async () => {
  const keys = await world().rows(`
    select c.conrelid::regclass::text as name, c.confrelid::regclass::text as target,
           (select string_agg(a.attname, ' ') from pg_attribute a
             where a.attrelid = c.conrelid and a.attnum = any (c.conkey)) as columns
      from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and c.conrelid <> c.confrelid`);
  for (const { name, target, columns } of keys as Json[]) {
    if (!(name in ERASURE_RULES) || !(target in ERASURE_RULES)) continue;
    const [rule, above] = [erasableRows(name), erasableRows(target)];
    if (above?.belongsTo === undefined) continue;
    const named = columns.split(" ").filter((column: string) => !OWNERS.includes(column));
    // A root refers to its own revision.
    const belongs = [...Object.keys(rule?.belongsTo ?? {}), ...rule?.own?.slice(0, 1) ?? []];
    assert(named.some((column: string) => belongs.includes(column)), `${name} (${columns})`);
  }
});

Deno.test("Every kind of root says what erasure does with it and with its ledger", () => {
  for (const { root, ledger } of ROOT_KINDS) {
    for (const name of [root, ledger]) assert(name in ERASURE_RULES, name);
  }
});

Deno.test("Proposals of an erased record go, and the one that it was accepted from", () => {
  const erased = new ErasedIds();
  erased.add("O", { kind: "RECORD", id: "R" });
  const rows: Json = {
    assistant_proposals: [
      { proposal_id: "accepted", target: null },
      { proposal_id: "pending", target: "R" },
      { proposal_id: "rejected", target: "R" },
      { proposal_id: "another", target: "S" },
    ],
    assistant_proposal_events: [
      { proposal_id: "accepted", target: null, record_id: "R" },
      { proposal_id: "rejected", target: "R", record_id: null },
      { proposal_id: "another", target: "S", record_id: null },
    ],
  };
  const left = BACKED_UP_TABLES.flatMap(({ name }) =>
    (rows[name] ?? []).filter((row: Json) =>
      erased.subjectOf(name, { owner_id: "O", ...row }) === null
    )
  );
  assertEquals(left.map((row: Json) => row.proposal_id), ["another", "another"]);
});

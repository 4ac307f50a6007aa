/** Atomic writes of taxonomy. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { type Caller, callerOf, fileWorld, type Json } from "../support/world.ts";
import {
  act,
  assign,
  ASSIGNMENTS,
  carrying,
  CATEGORIES,
  category,
  fileOf,
  fileTerm,
  IMPORTS,
  makeRecord,
  tag,
  TAGS,
  termPath,
} from "../families/taxonomy/api.ts";

const world = fileWorld();

async function fillTaxonomy(caller: Caller): Promise<Readonly<Record<string, Json>>> {
  const [yard, garden] = [
    await tag(caller, "Yard", { aliases: ["Plot"] }),
    await tag(caller, "Garden"),
  ];
  const [home, house] = [await category(caller, "Home"), await category(caller, "House")];
  const inner = await category(caller, "Kitchen", home);
  const ended = await act(caller, await category(caller, "Cellar", home), "deactivate");
  const records = [await makeRecord(caller), await makeRecord(caller)] as const;
  for (const record of records) await assign(caller, yard, record);
  await assign(caller, garden, records[0]);
  return { yard, garden, home, house, inner, ended, record: records[0] };
}

type Made = Awaited<ReturnType<typeof fillTaxonomy>>;
type Write = (made: Made) => readonly [method: string, path: string, body: JsonObject];

const FILE = fileOf([
  fileTerm("CATEGORY", "Below", { parent: "kitchen" }),
  fileTerm("CATEGORY", "Deeper", { parent: "Below", aliases: ["Deep"] }),
  fileTerm("TAG", "Garden"),
  fileTerm("TAG", "Grass"),
], "SKIP");

/** Keyed by effect. */
const WRITES: Readonly<Record<string, Write>> = {
  "Making a tag": () => ["POST", TAGS, { name: "Lawn", aliases: ["Grass"] }],
  "Making a category": (
    { inner },
  ) => ["POST", CATEGORIES, { name: "Larder", parentId: inner.termId }],
  "A patch": (
    { yard },
  ) => ["PATCH", termPath(yard), { expectedRevision: 1, set: { aliases: ["Patch"] } }],
  "A rename": (
    { inner },
  ) => ["POST", termPath(inner, "/rename"), {
    expectedRevision: 1,
    name: "Galley",
    keepAlias: true,
  }],
  "A move": (
    { inner, house },
  ) => ["POST", termPath(inner, "/move"), { expectedRevision: 1, parentId: house.termId }],
  "A deactivation": ({ inner }) => ["POST", termPath(inner, "/deactivate"), {}],
  "A reactivation": ({ ended }) => ["POST", termPath(ended, "/reactivate"), {}],
  "A merge": (
    { yard, garden },
  ) => ["POST", termPath(yard, "/merge"), { expectedRevision: 1, intoId: garden.termId }],
  "An assignment": ({ home, record }) => ["POST", ASSIGNMENTS, carrying(home, record)],
  "A removal": ({ yard, record }) => ["POST", `${ASSIGNMENTS}/remove`, carrying(yard, record)],
  "An import": () => ["POST", IMPORTS, FILE],
};

const TABLES = [
  "taxonomy_terms",
  "taxonomy_term_revisions",
  "taxonomy_names",
  "taxonomy_assignments",
  "records",
  "record_revisions",
  "executions",
  "audit_entries",
  "idempotency_envelopes",
];

for (const [name, write] of Object.entries(WRITES)) {
  Deno.test(`${name} leaves nothing wherever it breaks off, and then succeeds`, async () => {
    const faulty = faultyDatabase(world().database);
    const identity = await world().createCaller();
    const caller = callerOf(world().again({ database: faulty.database }), identity);
    const [method, path, body] = write(await fillTaxonomy(identity));
    const key = ulid();
    await assertWholeOrNothing(
      world(),
      faulty,
      TABLES,
      () => caller.call(method, path, { key, body }),
    );
  });
}

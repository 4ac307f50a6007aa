/** Taxonomy texts in ledgers, log, errors, or for another owner. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { assertFailure } from "./kernel.ts";
import { done, post } from "../families/memory/api.ts";
import {
  actOn,
  assign,
  ASSIGNMENTS,
  carrying,
  CATEGORIES,
  category,
  EXPORTS,
  fileOf,
  fileTerm,
  IMPORTS,
  makeRecord,
  patch,
  SEARCH,
  tag,
  TAGS,
  termPath,
  TREE,
  USAGE,
} from "../families/taxonomy/api.ts";

const shared = fileWorld();

/** Every text marked, with a merge, an import and a record. */
async function markedTerms(
  caller: Caller,
  markers: Markers,
): Promise<Readonly<Record<"marked" | "top" | "record", Json>>> {
  const words = () => ({
    aliases: [markers.make("alias")],
    description: markers.make("description"),
  });
  const name = () => markers.make("name");
  const marked = await actOn(caller, await tag(caller, name(), words()), "rename", {
    name: name(),
    keepAlias: true,
  });
  const merged = await tag(caller, name(), words());
  await actOn(caller, merged, "merge", { intoId: marked.termId });
  const top = await category(caller, name(), null, words());
  await category(caller, name(), top, words());
  const file = [fileTerm("CATEGORY", name(), { parent: top.name, ...words() })];
  await done(caller, IMPORTS, fileOf(file));
  await done(caller, SEARCH, { q: markers.make("search") });
  const record = await makeRecord(caller);
  await assign(caller, marked, record);
  await assign(caller, top, record);
  return { marked, top, record };
}

Deno.test("No audit entry, envelope, execution or log line has text of a term", async () => {
  const world = shared();
  const markers = new Markers();
  await markedTerms(await world.createCaller(), markers);
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  const named = (table: string, ...columns: string[]) =>
    columns.map((column) => `${table}.${column}`);
  assertEquals(columns.sort(), [
    "record_order.order_form",
    ...named("record_revisions", "payload", "title"),
    ...named("records", "payload", "title"),
    "search_index.lexemes",
    ...named("taxonomy_names", "compared", "spelling"),
    ...named("taxonomy_term_revisions", "aliases", "description", "name"),
    ...named("taxonomy_terms", "aliases", "description", "name"),
  ]);
});

Deno.test("No route shows another owner text of a term", async () => {
  const world = shared();
  const markers = new Markers();
  const { marked, top, record } = await markedTerms(await world.createCaller(), markers);
  const other = await world.createCaller();
  const own = { term: await tag(other, "Mine"), record: await makeRecord(other) };
  for (
    const path of [
      TAGS,
      CATEGORIES,
      TREE,
      USAGE,
      EXPORTS,
      `${CATEGORIES}?parentId=${top.termId}`,
      ...["", "/revisions", "/revisions/1"].map((end) => termPath(marked, end)),
      `${ASSIGNMENTS}?termId=${marked.termId}`,
      `${ASSIGNMENTS}?moduleCode=commitment&recordId=${record.recordId}`,
      ...["", `/${marked.termId}`].map((end) => `/api/v2/records/taxonomy${end}`),
    ]
  ) {
    assertEquals(markers.inResponse(await other.call("GET", path)), [], path);
  }
  const found = await done(other, SEARCH, { q: "mark", inactive: "include" });
  assertEquals(found.items, []);
  // Other owners may use the same name.
  await tag(other, marked.name);
  const merge = { expectedRevision: 1, intoId: marked.termId };
  const below = { name: "Below", parentId: top.termId };
  for (
    const [path, body, code] of [
      [termPath(marked, "/deactivate"), {}, "RECORD_NOT_FOUND"],
      [termPath(own.term, "/merge"), merge, "RECORD_NOT_FOUND"],
      [ASSIGNMENTS, carrying(marked, own.record), "RECORD_NOT_FOUND"],
      [ASSIGNMENTS, carrying(own.term, record), "RECORD_NOT_FOUND"],
      [CATEGORIES, below, "TAXONOMY_CATEGORY_PARENT_INVALID"],
    ] as const
  ) {
    assertFailure(await post(other, path, body), code, path);
  }
});

Deno.test("No taxonomy error repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { marked, top, record } = await markedTerms(caller, markers);
  const word = markers.make("sent");
  const rename = (name: string) => ({ expectedRevision: marked.revision + 1, name });
  const refused: [string, JsonObject][] = [
    // Taken names: the database's message would repeat them.
    [TAGS, { name: marked.name }],
    [CATEGORIES, { name: top.name.toUpperCase(), aliases: [word] }],
    [termPath(marked, "/rename"), { ...rename(word), [word]: word }],
    [termPath(marked, "/rename"), { expectedRevision: 1, name: word }],
    [IMPORTS, fileOf([fileTerm("TAG", marked.name)])],
    [IMPORTS, fileOf([fileTerm("CATEGORY", word), fileTerm("CATEGORY", word)])],
    [IMPORTS, fileOf([fileTerm("CATEGORY", word, { parent: `${word}, above` })])],
    [IMPORTS, { ...fileOf([{ kind: word, name: `${word}\n`, aliases: word }]), format: word }],
    [TAGS, { name: word, aliases: [word, word], color: word, sortOrder: word, [word]: word }],
    [CATEGORIES, { name: word, parentId: word }],
    [SEARCH, { q: word, kind: word, inactive: word, limit: word }],
    [ASSIGNMENTS, { termId: marked.termId, moduleCode: word, recordId: record.recordId }],
    [ASSIGNMENTS, { termId: word, moduleCode: word, recordId: word }],
  ];
  for (const [path, body] of refused) {
    const about = `${path} ${JSON.stringify(body)}`;
    markers.assertTellsNothing(await post(caller, path, body), about);
  }
  const set = { aliases: [top.name, marked.name], color: word };
  for (
    const body of [{ expectedRevision: 1, set }, { expectedRevision: 9, set: { [word]: word } }]
  ) {
    markers.assertTellsNothing(await patch(caller, termPath(marked), body), JSON.stringify(body));
  }
  for (const query of [`inactive=${word}`, `parentId=${word}`, `cursor=${word}`, `${word}=1`]) {
    markers.assertTellsNothing(await caller.call("GET", `${CATEGORIES}?${query}`), query);
  }
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});

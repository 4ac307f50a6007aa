/** TAX-001, TAX-004 and TAX-006, for tags and categories. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { comparedForm } from "../../src/families/taxonomy/name.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  act,
  actOn,
  assertKeepsKeyOnly,
  assertStored,
  CATEGORIES,
  category,
  namesQuery,
  patch,
  tag,
  TAGS,
  termPath,
} from "../families/taxonomy/api.ts";

const world = sharedWorld();

const KINDS = [
  { kind: "TAG", path: TAGS, conflict: "TAXONOMY_TAG_NAME_CONFLICT", other: CATEGORIES },
  { kind: "CATEGORY", path: CATEGORIES, conflict: "TAXONOMY_CATEGORY_NAME_CONFLICT", other: TAGS },
] as const;

for (const { kind, path, conflict, other } of KINDS) {
  const make = (caller: Caller, name: string, more = {}) => done(caller, path, { name, ...more });

  Deno.test(`${kind}: a term shows its input, and null for omitted fields`, async () => {
    const caller = await world().createCaller();
    const body = {
      name: " Gärten ",
      aliases: ["Yard", "庭"],
      description: "All that grows\n\tand \u0007 rings",
      color: "#2E7d32",
      sortOrder: 0,
    };
    const response = await post(caller, path, body);
    assertEquals(response.status, 201, response.text);
    const term = response.body.data;
    const time = world().now().toISOString();
    assertEquals(Object.keys(term), [
      "termId",
      "kind",
      "name",
      "aliases",
      "description",
      "color",
      "sortOrder",
      "parentId",
      "active",
      "mergedInto",
      "revision",
      "createdAt",
      "updatedAt",
    ]);
    assertEquals(term, {
      termId: term.termId,
      kind,
      ...body,
      parentId: null,
      active: true,
      mergedInto: null,
      revision: 1,
      createdAt: time,
      updatedAt: time,
    });
    assertEquals(response.headers.get("Location"), `${path}/${term.termId}`);
    await assertStored(caller, term);
    const bare = await make(caller, "Bare");
    const { aliases, description, color, sortOrder } = bare;
    assertEquals([aliases, description, color, sortOrder], [[], null, null, null]);
    const foreign = await caller.call("GET", `${other}/${term.termId}`);
    assertFailure(foreign, "RECORD_NOT_FOUND");
    const stranger = await world().createCaller();
    assertFailure(await stranger.call("GET", termPath(term)), "RECORD_NOT_FOUND");
  });

  Deno.test(`${kind}: an invalid term is rejected`, async () => {
    const caller = await world().createCaller();
    const refused: readonly (readonly [Json, string, readonly string[]])[] = [
      [{}, "field.required", ["name"]],
      [{ name: " \u3000" }, "field.blank", ["name"]],
      [{ name: "a".repeat(65) }, "field.length", ["name"]],
      [{ name: "two\nlines" }, "field.control_character", ["name"]],
      [{ name: "A", aliases: ["B", "b"] }, "taxonomy.aliases_are_distinct", ["aliases"]],
      [{ name: "ß", aliases: ["SS"] }, "taxonomy.no_alias_is_the_name", ["name", "aliases"]],
      [{ name: "A", aliases: ["x".repeat(65)] }, "field.tag_length", ["aliases"]],
      [{ name: "A", aliases: [" "] }, "field.blank", ["aliases"]],
      [
        { name: "A", aliases: Array.from({ length: 51 }, (_, index) => `${index}`) },
        "field.tags_count",
        ["aliases"],
      ],
      [{ name: "A", color: "green" }, "taxonomy.color_is_hexadecimal", ["color"]],
      [{ name: "A", sortOrder: 1_000_001 }, "field.range", ["sortOrder"]],
      [{ name: "A", sortOrder: 1.5 }, "field.integer", ["sortOrder"]],
      [{ name: "A", description: null }, "field.null", ["description"]],
      [{ name: "A", active: true }, "undeclared_field", []],
      ...(kind === "TAG" ? [[{ name: "A", parentId: ulid() }, "undeclared_field", []] as const] : [
        [{ name: "A", parentId: null }, "field.type", ["parentId"]] as const,
        [{ name: "A", parentId: "up" }, "field.identifier", ["parentId"]] as const,
      ]),
    ];
    await assertWritesNothing(world(), async () => {
      for (const [body, rule, fields] of refused) {
        assertInvalid(await post(caller, path, body), [rule], fields, JSON.stringify(body));
      }
    });
    const widest = { name: "🚀".repeat(64), aliases: ["é".repeat(64)], sortOrder: 1_000_000 };
    await done(caller, path, { ...widest, description: "x".repeat(100_000) });
  });

  Deno.test(`${kind}: a name is unique in every spelling, aliases included`, async () => {
    const caller = await world().createCaller();
    await make(caller, "Straße", { aliases: ["İzmir", "ﬁsh  bowl"] });
    const taken = [
      "STRASSE",
      " straſſe ",
      "ＳＴＲＡＳＳＥ",
      "i̇zmir",
      "FISH BOWL",
      "fish\u2003bowl",
    ];
    for (const name of taken) {
      assertFailure(await post(caller, path, { name }), conflict, name);
      assertFailure(await post(caller, path, { name: "Free", aliases: [name] }), conflict, name);
    }
    // Diacritics, kinds and owners distinguish names.
    for (const name of ["Straẞe b", "Izmir", "fish-bowl"]) await make(caller, name);
    assertEquals((await post(caller, other, { name: "Straße" })).status, 201);
    assertEquals((await post(await world().createCaller(), path, { name: "Straße" })).status, 201);
    const names = await world().rows(namesQuery(caller));
    for (const { compared, spelling } of names) assertEquals(compared, comparedForm(spelling));
  });

  Deno.test(`${kind}: a patch changes only what it names`, async () => {
    const caller = await world().createCaller();
    const made = await make(caller, "A", { aliases: ["B"], color: "#000000", sortOrder: 1 });
    const path = termPath(made);
    world().advance(1_000);
    const body = { expectedRevision: 1, set: { aliases: ["C", "D"] }, remove: ["color"] };
    const { data: changed } = (await patch(caller, path, body)).body;
    const updatedAt = world().now().toISOString();
    assertEquals(changed, { ...made, aliases: ["C", "D"], color: null, revision: 2, updatedAt });
    const same = await patch(caller, path, { expectedRevision: 2, set: { sortOrder: 1 } });
    assertEquals(same.body.data, changed);
    const bare = { expectedRevision: 2, remove: ["aliases", "description", "sortOrder"] };
    const { data: third } = (await patch(caller, path, bare)).body;
    assertEquals([third.aliases, third.sortOrder, third.revision], [[], null, 3]);
    assertEquals((await make(caller, "B")).name, "B");
    assertFailure(
      await patch(caller, path, { expectedRevision: 3, set: { aliases: ["b"] } }),
      conflict,
    );
    for (
      const [wrong, rule, fields] of [
        [{}, "change.required", []],
        [{ set: {}, remove: [] }, "change.required", []],
        [{ set: { name: "X" } }, "undeclared_field", []],
        [{ set: { parentId: ulid() } }, "undeclared_field", []],
        [{ remove: ["active"] }, "undeclared_field", []],
        [{ set: { color: "#fff" } }, "taxonomy.color_is_hexadecimal", ["color"]],
        [{ set: { color: "#ffffff" }, remove: ["color"] }, "payload.set_and_removed", ["color"]],
        [{ set: { aliases: ["x", "X"] } }, "taxonomy.aliases_are_distinct", ["aliases"]],
        [{ set: { aliases: ["a"] } }, "taxonomy.no_alias_is_the_name", ["aliases", "name"]],
      ] as const
    ) {
      const sent = { expectedRevision: 3, ...wrong } as Json;
      assertInvalid(await patch(caller, path, sent), [rule], fields, JSON.stringify(wrong));
    }
    assertInvalid(await patch(caller, path, { set: { sortOrder: 1 } }), ["field.required"], [
      "expectedRevision",
    ]);
    const stale = await patch(caller, path, { expectedRevision: 2, set: { sortOrder: 1 } });
    assertEquals(assertFailure(stale, "REVISION_CONFLICT"), {
      expectedRevision: 2,
      currentRevision: 3,
    });
  });

  Deno.test(`${kind}: a rename frees the former name, or keeps it as an alias`, async () => {
    const caller = await world().createCaller();
    const made = await make(caller, "Old", { aliases: ["Ancient"] });
    const renamed = await actOn(caller, made, "rename", { name: "New" });
    assertEquals([renamed.name, renamed.aliases, renamed.revision], ["New", ["Ancient"], 2]);
    await make(caller, "old");
    const kept = await actOn(caller, renamed, "rename", { name: "Newer", keepAlias: true });
    assertEquals([kept.name, kept.aliases], ["Newer", ["Ancient", "New"]]);
    const taken = { expectedRevision: 3, name: "OLD" };
    assertFailure(await post(caller, termPath(kept, "/rename"), taken), conflict);
    // Another spelling keeps no alias.
    const spelt = await actOn(caller, kept, "rename", { name: "NEWER", keepAlias: true });
    assertEquals([spelt.name, spelt.aliases, spelt.revision], ["NEWER", ["Ancient", "New"], 4]);
    // A new name is removed from the aliases.
    const own = await actOn(caller, spelt, "rename", { name: "ancient", keepAlias: true });
    assertEquals([own.name, own.aliases], ["ancient", ["New", "NEWER"]]);
    const same = await actOn(caller, own, "rename", { name: "ancient" });
    assertEquals(same, own);
    const { items } = await read(caller, termPath(own, "/revisions"));
    assertEquals(
      items.map(({ change, name }: Json) => [change, name]),
      [
        ["RENAMED", "ancient"],
        ["RENAMED", "NEWER"],
        ["RENAMED", "Newer"],
        ["RENAMED", "New"],
        ["CREATED", "Old"],
      ],
    );
  });

  Deno.test(`${kind}: a fifty-first alias is a conflict, and nothing is written`, async () => {
    const caller = await world().createCaller();
    const aliases = Array.from({ length: 50 }, (_, index) => `alias ${index}`);
    const made = await make(caller, "Full", { aliases });
    const path = termPath(made, "/rename");
    await assertWritesNothing(world(), async () => {
      const body = { expectedRevision: 1, name: "Fuller", keepAlias: true };
      assertFailure(await post(caller, path, body), "TAXONOMY_STATE_CONFLICT");
    });
    const taken = { expectedRevision: 1, name: "ALIAS 7", keepAlias: true };
    const renamed = await done(caller, path, taken);
    assertEquals(renamed.aliases.length, 50);
    assertEquals(renamed.aliases.at(-1), "Full");
  });

  Deno.test(`${kind}: every revision reads back completely, by list and by number`, async () => {
    const caller = await world().createCaller();
    const states = [await make(caller, "One", { aliases: ["Uno"] })];
    const next = async (state: Json) => void states.unshift(await state);
    await next(actOn(caller, states[0], "rename", { name: "Two" }));
    const set = { expectedRevision: 2, set: { color: "#123456" } };
    await next((await patch(caller, termPath(states[0]), set)).body.data);
    await next(act(caller, states[0], "deactivate"));
    await next(act(caller, states[0], "reactivate"));
    const changes = ["REACTIVATED", "DEACTIVATED", "CHANGED", "RENAMED", "CREATED"];
    const path = termPath(states[0], "/revisions");
    const pages = await walkPages(caller, path, { limit: "2" });
    assertEquals(pages.map((page) => page.length), [2, 2, 1]);
    for (const [index, item] of pages.flat().entries()) {
      const { revisionId } = item;
      assertEquals(item, { ...states[index], revisionId, change: changes[index] });
      assertEquals(await read(caller, `${path}/${states[index].revision}`), item);
    }
    for (const unknown of ["6", "2147483647"]) {
      assertFailure(await caller.call("GET", `${path}/${unknown}`), "RECORD_NOT_FOUND");
    }
    assertInvalid(await caller.call("GET", `${path}/0`), ["field.range"], ["revision"]);
    const strange = await caller.call("GET", `${path}?cursor=${ulid()}`);
    assertInvalid(strange, ["cursor.unknown"], ["cursor"]);
  });

  Deno.test(`${kind}: an inactive term keeps its names and rejects changes`, async () => {
    const caller = await world().createCaller();
    const made = await make(caller, "Still", { aliases: ["Quiet"] });
    const ended = await act(caller, made, "deactivate", { expectedRevision: 1 });
    assertEquals(ended, { ...made, active: false, revision: 2, updatedAt: ended.updatedAt });
    // With and without a body; only the key is stored.
    const again = await assertKeepsKeyOnly(
      world(),
      () => caller.call("POST", termPath(made, "/deactivate"), { key: ulid() }),
    );
    assertEquals([again.status, again.body.data], [200, ended]);
    for (const name of ["still", "QUIET"]) {
      assertFailure(await post(caller, path, { name }), conflict);
    }
    const next = { expectedRevision: 2 };
    const refused = [
      await patch(caller, termPath(made), { ...next, set: { sortOrder: 1 } }),
      await patch(caller, termPath(made), { ...next, remove: ["color"] }),
      await post(caller, termPath(made, "/rename"), { ...next, name: "Loud" }),
    ];
    for (const response of refused) assertFailure(response, "TAXONOMY_STATE_CONFLICT");
    const stale = await post(caller, termPath(made, "/reactivate"), { expectedRevision: 1 });
    assertFailure(stale, "REVISION_CONFLICT");
    const used = await act(caller, made, "reactivate");
    assertEquals([used.active, used.revision], [true, 3]);
    assertEquals(await act(caller, made, "reactivate"), used);
  });

  Deno.test(`${kind}: lists show active, inactive or all terms, newest first`, async () => {
    const caller = await world().createCaller();
    const terms: Json[] = [];
    for (let index = 0; index < 5; index++) {
      world().advance(1);
      terms.unshift(await make(caller, `Term ${index}`));
    }
    const ended = await act(caller, terms[1], "deactivate");
    const all = terms.toSpliced(1, 1, ended);
    const expected = {
      "": all.filter(({ active }) => active),
      "?inactive=exclude": all.filter(({ active }) => active),
      "?inactive=only": [ended],
      "?inactive=include": all,
    };
    for (const [query, items] of Object.entries(expected)) {
      assertEquals((await read(caller, path + query)).items, items, query);
    }
    const pages = await walkPages(caller, path, { limit: "2", inactive: "include" });
    assertEquals(pages, [all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    const strange = await (kind === "TAG" ? category(caller, "X") : tag(caller, "X"));
    for (const cursor of [ulid(), strange.termId]) {
      const response = await caller.call("GET", `${path}?cursor=${cursor}`);
      assertInvalid(response, ["cursor.unknown"], ["cursor"]);
    }
  });

  Deno.test(`${kind}: a repeated write happens once`, async () => {
    const caller = await world().createCaller();
    const key = ulid();
    const body = { name: "Once", aliases: ["Una"] };
    const first = await caller.call("POST", path, { key, body });
    const made = first.body.data;
    const renaming = { key, body: { expectedRevision: 1, name: "Twice" } };
    const renamed = await caller.call("POST", termPath(made, "/rename"), renaming);
    await act(caller, made, "deactivate");
    await assertWritesNothing(world(), async () => {
      const again = await caller.call("POST", path, { key, body });
      assertEquals([again.status, again.body.data], [201, made]);
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
      assertEquals(again.headers.get("Location"), first.headers.get("Location"));
      const twice = await caller.call("POST", termPath(made, "/rename"), renaming);
      assertEquals([twice.status, twice.body.data], [200, renamed.body.data]);
      const other = { key, body: { ...body, name: "Else" } };
      assertFailure(await caller.call("POST", path, other), "IDEMPOTENCY_KEY_REUSED");
      const without = await caller.call("POST", path, { body });
      assertFailure(without, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
    });
  });
}

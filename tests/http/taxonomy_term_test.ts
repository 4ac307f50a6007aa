/** TAX-001, TAX-004 and TAX-006, as tags and categories have them alike. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { comparedForm } from "../../src/taxonomy/names.ts";
import { type Json, type Person, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read } from "./memory.ts";
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
} from "./taxonomy.ts";

const world = sharedWorld();

const KINDS = [
  { kind: "TAG", path: TAGS, conflict: "TAXONOMY_TAG_NAME_CONFLICT", other: CATEGORIES },
  { kind: "CATEGORY", path: CATEGORIES, conflict: "TAXONOMY_CATEGORY_NAME_CONFLICT", other: TAGS },
] as const;

for (const { kind, path, conflict, other } of KINDS) {
  const make = (person: Person, name: string, more = {}) => done(person, path, { name, ...more });

  Deno.test(`${kind}: a term shows what it was made of, null for what it lacks`, async () => {
    const person = await world().person();
    const body = {
      name: " Gärten ",
      aliases: ["Yard", "庭"],
      description: "All that grows\n\tand \u0007 rings",
      color: "#2E7d32",
      sortOrder: 0,
    };
    const response = await post(person, path, body);
    assertEquals(response.status, 201, response.text);
    const term = response.body.data;
    const time = world().now().toISOString();
    assertEquals(Object.keys(term), [
      ...["termId", "kind", "name", "aliases", "description", "color", "sortOrder", "parentId"],
      ...["active", "mergedInto", "revision", "createdAt", "updatedAt"],
    ]);
    assertEquals(term, {
      termId: term.termId,
      kind,
      ...body,
      ...{ parentId: null, active: true, mergedInto: null },
      ...{ revision: 1, createdAt: time, updatedAt: time },
    });
    assertEquals(response.headers.get("Location"), `${path}/${term.termId}`);
    await assertStored(person, term);
    const bare = await make(person, "Bare");
    const { aliases, description, color, sortOrder } = bare;
    assertEquals([aliases, description, color, sortOrder], [[], null, null, null]);
    const foreign = await person.call("GET", `${other}/${term.termId}`);
    assertFailure(foreign, "RECORD_NOT_FOUND");
    const stranger = await world().person();
    assertFailure(await stranger.call("GET", termPath(term)), "RECORD_NOT_FOUND");
  });

  Deno.test(`${kind}: what no term can be is refused`, async () => {
    const person = await world().person();
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
        assertInvalid(await post(person, path, body), [rule], fields, JSON.stringify(body));
      }
    });
    const widest = { name: "🚀".repeat(64), aliases: ["é".repeat(64)], sortOrder: 1_000_000 };
    await done(person, path, { ...widest, description: "x".repeat(100_000) });
  });

  Deno.test(`${kind}: a name is taken once, also in another spelling, and as an alias`, async () => {
    const person = await world().person();
    await make(person, "Straße", { aliases: ["İzmir", "ﬁsh  bowl"] });
    const taken = [
      "STRASSE",
      " straſſe ",
      "ＳＴＲＡＳＳＥ",
      "i̇zmir",
      "FISH BOWL",
      "fish\u2003bowl",
    ];
    for (const name of taken) {
      assertFailure(await post(person, path, { name }), conflict, name);
      assertFailure(await post(person, path, { name: "Free", aliases: [name] }), conflict, name);
    }
    // Diacritics count, and kinds and owners have names of their own.
    for (const name of ["Straẞe b", "Izmir", "fish-bowl"]) await make(person, name);
    assertEquals((await post(person, other, { name: "Straße" })).status, 201);
    assertEquals((await post(await world().person(), path, { name: "Straße" })).status, 201);
    const names = await world().rows(namesQuery(person));
    for (const { compared, spelling } of names) assertEquals(compared, comparedForm(spelling));
  });

  Deno.test(`${kind}: a patch sets and removes what it names, and nothing else`, async () => {
    const person = await world().person();
    const made = await make(person, "A", { aliases: ["B"], color: "#000000", sortOrder: 1 });
    const path = termPath(made);
    world().advance(1_000);
    const body = { expectedRevision: 1, set: { aliases: ["C", "D"] }, remove: ["color"] };
    const { data: changed } = (await patch(person, path, body)).body;
    const updatedAt = world().now().toISOString();
    assertEquals(changed, { ...made, aliases: ["C", "D"], color: null, revision: 2, updatedAt });
    const same = await patch(person, path, { expectedRevision: 2, set: { sortOrder: 1 } });
    assertEquals(same.body.data, changed);
    const bare = { expectedRevision: 2, remove: ["aliases", "description", "sortOrder"] };
    const { data: third } = (await patch(person, path, bare)).body;
    assertEquals([third.aliases, third.sortOrder, third.revision], [[], null, 3]);
    assertEquals((await make(person, "B")).name, "B");
    assertFailure(
      await patch(person, path, { expectedRevision: 3, set: { aliases: ["b"] } }),
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
      assertInvalid(await patch(person, path, sent), [rule], fields, JSON.stringify(wrong));
    }
    assertInvalid(await patch(person, path, { set: { sortOrder: 1 } }), ["field.required"], [
      "expectedRevision",
    ]);
    const stale = await patch(person, path, { expectedRevision: 2, set: { sortOrder: 1 } });
    assertEquals(assertFailure(stale, "REVISION_CONFLICT"), {
      expectedRevision: 2,
      currentRevision: 3,
    });
  });

  Deno.test(`${kind}: a renamed term frees its former name, or keeps it as an alias`, async () => {
    const person = await world().person();
    const made = await make(person, "Old", { aliases: ["Ancient"] });
    const renamed = await actOn(person, made, "rename", { name: "New" });
    assertEquals([renamed.name, renamed.aliases, renamed.revision], ["New", ["Ancient"], 2]);
    await make(person, "old");
    const kept = await actOn(person, renamed, "rename", { name: "Newer", keepAlias: true });
    assertEquals([kept.name, kept.aliases], ["Newer", ["Ancient", "New"]]);
    const taken = { expectedRevision: 3, name: "OLD" };
    assertFailure(await post(person, termPath(kept, "/rename"), taken), conflict);
    // Another spelling of the same name keeps none.
    const spelt = await actOn(person, kept, "rename", { name: "NEWER", keepAlias: true });
    assertEquals([spelt.name, spelt.aliases, spelt.revision], ["NEWER", ["Ancient", "New"], 4]);
    // A name that is one of the term's own aliases leaves them.
    const own = await actOn(person, spelt, "rename", { name: "ancient", keepAlias: true });
    assertEquals([own.name, own.aliases], ["ancient", ["New", "NEWER"]]);
    const same = await actOn(person, own, "rename", { name: "ancient" });
    assertEquals(same, own);
    const { items } = await read(person, termPath(own, "/revisions"));
    assertEquals(
      items.map(({ change, name }: Json) => [change, name]),
      [
        ...[["RENAMED", "ancient"], ["RENAMED", "NEWER"], ["RENAMED", "Newer"]],
        ...[["RENAMED", "New"], ["CREATED", "Old"]],
      ],
    );
  });

  Deno.test(`${kind}: a fifty-first alias is a conflict, which nothing is written for`, async () => {
    const person = await world().person();
    const aliases = Array.from({ length: 50 }, (_, index) => `alias ${index}`);
    const made = await make(person, "Full", { aliases });
    const path = termPath(made, "/rename");
    await assertWritesNothing(world(), async () => {
      const body = { expectedRevision: 1, name: "Fuller", keepAlias: true };
      assertFailure(await post(person, path, body), "TAXONOMY_STATE_CONFLICT");
    });
    const taken = { expectedRevision: 1, name: "ALIAS 7", keepAlias: true };
    const renamed = await done(person, path, taken);
    assertEquals(renamed.aliases.length, 50);
    assertEquals(renamed.aliases.at(-1), "Full");
  });

  Deno.test(`${kind}: every revision reads back whole, by list and by number`, async () => {
    const person = await world().person();
    const states = [await make(person, "One", { aliases: ["Uno"] })];
    const next = async (state: Json) => void states.unshift(await state);
    await next(actOn(person, states[0], "rename", { name: "Two" }));
    const set = { expectedRevision: 2, set: { color: "#123456" } };
    await next((await patch(person, termPath(states[0]), set)).body.data);
    await next(act(person, states[0], "deactivate"));
    await next(act(person, states[0], "reactivate"));
    const changes = ["REACTIVATED", "DEACTIVATED", "CHANGED", "RENAMED", "CREATED"];
    const path = termPath(states[0], "/revisions");
    const pages = await walkPages(person, path, { limit: "2" });
    assertEquals(pages.map((page) => page.length), [2, 2, 1]);
    for (const [index, item] of pages.flat().entries()) {
      const { revisionId } = item;
      assertEquals(item, { ...states[index], revisionId, change: changes[index] });
      assertEquals(await read(person, `${path}/${states[index].revision}`), item);
    }
    for (const unknown of ["6", "2147483647"]) {
      assertFailure(await person.call("GET", `${path}/${unknown}`), "RECORD_NOT_FOUND");
    }
    assertInvalid(await person.call("GET", `${path}/0`), ["field.range"], ["revision"]);
    const strange = await person.call("GET", `${path}?cursor=${ulid()}`);
    assertInvalid(strange, ["cursor.unknown"], ["cursor"]);
  });

  Deno.test(`${kind}: an inactive term keeps its names and takes no change`, async () => {
    const person = await world().person();
    const made = await make(person, "Still", { aliases: ["Quiet"] });
    const ended = await act(person, made, "deactivate", { expectedRevision: 1 });
    assertEquals(ended, { ...made, active: false, revision: 2, updatedAt: ended.updatedAt });
    // Without a body as with one, and only the key is kept.
    const again = await assertKeepsKeyOnly(
      world(),
      () => person.call("POST", termPath(made, "/deactivate"), { key: ulid() }),
    );
    assertEquals([again.status, again.body.data], [200, ended]);
    for (const name of ["still", "QUIET"]) {
      assertFailure(await post(person, path, { name }), conflict);
    }
    const next = { expectedRevision: 2 };
    const refused = [
      await patch(person, termPath(made), { ...next, set: { sortOrder: 1 } }),
      await patch(person, termPath(made), { ...next, remove: ["color"] }),
      await post(person, termPath(made, "/rename"), { ...next, name: "Loud" }),
    ];
    for (const response of refused) assertFailure(response, "TAXONOMY_STATE_CONFLICT");
    const stale = await post(person, termPath(made, "/reactivate"), { expectedRevision: 1 });
    assertFailure(stale, "REVISION_CONFLICT");
    const used = await act(person, made, "reactivate");
    assertEquals([used.active, used.revision], [true, 3]);
    assertEquals(await act(person, made, "reactivate"), used);
  });

  Deno.test(`${kind}: lists show active terms, inactive ones or all, newest first`, async () => {
    const person = await world().person();
    const terms: Json[] = [];
    for (let index = 0; index < 5; index++) {
      world().advance(1);
      terms.unshift(await make(person, `Term ${index}`));
    }
    const ended = await act(person, terms[1], "deactivate");
    const all = terms.toSpliced(1, 1, ended);
    const expected = {
      "": all.filter(({ active }) => active),
      "?inactive=exclude": all.filter(({ active }) => active),
      "?inactive=only": [ended],
      "?inactive=include": all,
    };
    for (const [query, items] of Object.entries(expected)) {
      assertEquals((await read(person, path + query)).items, items, query);
    }
    const pages = await walkPages(person, path, { limit: "2", inactive: "include" });
    assertEquals(pages, [all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    const strange = await (kind === "TAG" ? category(person, "X") : tag(person, "X"));
    for (const cursor of [ulid(), strange.termId]) {
      const response = await person.call("GET", `${path}?cursor=${cursor}`);
      assertInvalid(response, ["cursor.unknown"], ["cursor"]);
    }
  });

  Deno.test(`${kind}: a write that is sent again under its key is done once`, async () => {
    const person = await world().person();
    const key = ulid();
    const body = { name: "Once", aliases: ["Una"] };
    const first = await person.call("POST", path, { key, body });
    const made = first.body.data;
    const renaming = { key, body: { expectedRevision: 1, name: "Twice" } };
    const renamed = await person.call("POST", termPath(made, "/rename"), renaming);
    await act(person, made, "deactivate");
    await assertWritesNothing(world(), async () => {
      const again = await person.call("POST", path, { key, body });
      assertEquals([again.status, again.body.data], [201, made]);
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
      assertEquals(again.headers.get("Location"), first.headers.get("Location"));
      const twice = await person.call("POST", termPath(made, "/rename"), renaming);
      assertEquals([twice.status, twice.body.data], [200, renamed.body.data]);
      const other = { key, body: { ...body, name: "Else" } };
      assertFailure(await person.call("POST", path, other), "IDEMPOTENCY_KEY_REUSED");
      const without = await person.call("POST", path, { body });
      assertFailure(without, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
    });
  });
}

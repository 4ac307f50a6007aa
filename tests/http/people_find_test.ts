/** The search for people by names and nicknames. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { withPermissions } from "../families/memory/api.ts";
import {
  control,
  createPerson,
  detail,
  move,
  PEOPLE,
  reclassified,
  RETRACTED,
} from "../families/relationship/api.ts";
import { formed } from "../support/naive_best.ts";
import { PEOPLE as PEOPLE_ROWS } from "../families/relationship/rows.ts";
import { newRow } from "../storage/family_rows.ts";
import { insertManyRows } from "../storage/many_rows.ts";
import { inOrder, naiveForm } from "../support/naive_order.ts";
import { naiveWords } from "../support/naive_search.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type Json, type TestResponse } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";

const world = fileWorld();
const FIND = `${PEOPLE}/find`;

function ask(caller: Pick<Caller, "call">, body: JsonObject): Promise<TestResponse> {
  return caller.call("POST", FIND, { body });
}

async function findAll(caller: Pick<Caller, "call">, body: JsonObject): Promise<Json[]> {
  const people: Json[] = [];
  let cursor: string | null = null;
  do {
    const response: TestResponse = await ask(caller, { ...body, ...(cursor && { cursor }) });
    assertEquals(response.status, 200, response.text);
    people.push(...response.body.data.items);
    cursor = response.body.data.nextCursor;
  } while (cursor !== null);
  return people;
}

async function namesOf(caller: Pick<Caller, "call">, q: string): Promise<string[]> {
  return (await findAll(caller, { q })).map(({ personName }) => personName);
}

function nicknamed(caller: Caller, known: Json, nickname: string, privacy = "NORMAL") {
  return detail(caller, known, { kind: "NAME", value: { nickname }, privacy });
}

Deno.test("People are found by the beginnings of words in any form", async () => {
  const caller = await world().createCaller();
  const names = [
    "Anna Müller",
    "Annika Mueller",
    "Jörg ØSTERGÅRD",
    "Łukasz Łódź",
    "山田太郎",
    "Éa O'Neil",
  ];
  for (const personName of names) await createPerson(caller, { personName });
  const found: Readonly<Record<string, readonly string[]>> = {
    "a": ["Anna Müller", "Annika Mueller"],
    "ann mul": ["Anna Müller"],
    "MÜLL": ["Anna Müller", "Annika Mueller"],
    "muel, anni": ["Annika Mueller"],
    "oester": ["Jörg ØSTERGÅRD"],
    "ostergard j": ["Jörg ØSTERGÅRD"],
    "östergaard": ["Jörg ØSTERGÅRD"],
    "lodz": ["Łukasz Łódź"],
    "田太": ["山田太郎"],
    "e neil": ["Éa O'Neil"],
    "nna": [],
    "anna mueller x": [],
  };
  for (const [q, expected] of Object.entries(found)) {
    assertEquals(await namesOf(caller, q), expected, q);
  }
  assertEquals(await namesOf(await world().createCaller(), "a"), []);
});

Deno.test("Nicknames count if their details are live, not SECRET and may be listed", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { personName: "Magdalena Vogt" });
  await createPerson(caller, { personName: "Lenka" });
  await nicknamed(caller, known, "Leni von oben");
  await nicknamed(caller, known, "Secretly", "SECRET");
  const raised = await nicknamed(caller, known, "Raised");
  const ended = await nicknamed(caller, known, "Ended");
  await control(caller, raised, reclassified("SECRET"));
  await control(caller, ended, RETRACTED);
  await detail(caller, known, { kind: "OTHER", value: { property: "NICKNAME", value: "Other" } });
  await detail(caller, known, { kind: "NAME", value: { given: "Given" } });
  assertEquals(await namesOf(caller, "len"), ["Lenka", "Magdalena Vogt"]);
  assertEquals(await namesOf(caller, "obe vogt"), ["Magdalena Vogt"]);
  for (const q of ["secretly", "raised", "ended", "other", "given"]) {
    assertEquals(await namesOf(caller, q), [], q);
  }
  const reader = await withPermissions(world(), caller, "relationship.person.read");
  assertEquals(await namesOf(reader, "len"), ["Lenka"]);
  assertEquals(await namesOf(reader, "vogt"), ["Magdalena Vogt"]);
  const stranger = await withPermissions(world(), caller, "relationship.ledger.read");
  assertEquals((await ask(stranger, { q: "len" })).status, 403);
});

const PIECES = [..."aAäåæeéíłøßuü", ..."山田", "ss", "mann", "ü", " ", " ", "-"];

function randomName(random: Random): string {
  return `${Array.from({ length: random.integer(1, 8) }, () => random.pick(PIECES)).join("")}n`;
}

function isFound(q: string, texts: readonly string[]): boolean {
  const words = texts.flatMap(formed);
  return formed(q).every(({ forms, isUnspaced }) =>
    words.some((word) =>
      word.isUnspaced === isUnspaced &&
      forms.some((form) =>
        word.forms.some((whole) => isUnspaced ? whole.includes(form) : whole.startsWith(form))
      )
    )
  );
}

Deno.test("Random people are found as by reading the list", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(3);
  const nicknames = new Map<string, string[]>();
  for (let index = 0; index < 40; index++) {
    const known = await createPerson(caller, {
      personName: randomName(random),
      relationshipType: random.pick(["FRIEND", "FAMILY"]),
      ...(random.chance(0.5) && { lastContactAt: `200${index % 10}-01-01T00:00:00Z` }),
    });
    if (random.chance(0.3)) {
      const nickname = randomName(random);
      await nicknamed(caller, known, nickname);
      nicknames.set(known.personId, [nickname]);
    }
    if (random.chance(0.3)) await move(caller, known, random.pick(["archive", "SEALED", "PAUSED"]));
  }
  const people = (await walkPages(caller, PEOPLE, { limit: "100" })).flat();
  let count = 0;
  for (let run = 0; run < 60; run++) {
    const sort = random.pick(["name", "-name", "lastContact", "-lastContact"]);
    const archived = random.pick(["exclude", "only", "include"]);
    const filter = random.pick([{}, { relationshipType: "FAMILY" }, { status: "ACTIVE" }]);
    const source = random.chance(0.7) ? random.pick(people).personName : randomName(random);
    const q = source.slice(random.integer(0, 2), random.integer(2, 5)) || "a";
    if (naiveWords(q).length === 0) continue;
    const expected = inOrder(
      people.filter((known) =>
        isFound(q, [known.personName, ...nicknames.get(known.personId) ?? []]) &&
        (archived === "include" ||
          (archived === "only") === ["ARCHIVED", "SEALED"].includes(known.status)) &&
        Object.entries(filter).every(([name, value]) => known[name] === value)
      ),
      ({ personId: id, personName, lastContactAt }) => ({
        value: sort.endsWith("name") ? naiveForm(personName) : lastContactAt,
        id,
      }),
      sort.startsWith("-"),
    );
    count += expected.length;
    const body = { q, archived, sort, limit: random.pick([1, 3, 100]), ...filter };
    assertEquals(await findAll(caller, body), expected, JSON.stringify(body));
  }
  assert(count > 60, `${count} people`);
});

/** 510 people named Bob and three named Ada. */
function insertCrowd({ accountId }: Caller): string {
  const insert = (person_name: string, count: number, beginning: string) =>
    insertManyRows(PEOPLE_ROWS, newRow(PEOPLE_ROWS, accountId, { person_name }), count, beginning, {
      archived_at: "null::timestamptz",
    });
  return `${insert("Bob", 510, "01KA")} ${insert("Ada", 3, "01KB")}
    insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form)
      select owner_id, record_id, module_code, 3, false, '', lower(title)
        from records where owner_id = '${accountId}'`;
}

Deno.test("A page of found people is full, however many were examined before", async () => {
  const caller = await world().createCaller();
  await world().raw(insertCrowd(caller));
  for (const sort of ["name", "-name"]) {
    for (const limit of [3, 4]) {
      const { items, nextCursor } = (await ask(caller, { q: "ada", sort, limit })).body.data;
      assertEquals([items.length, nextCursor], [3, null], `${sort} ${limit}`);
    }
  }
  assertEquals((await findAll(caller, { q: "bob", limit: 100 })).length, 510);
});

Deno.test("A cursor of found people works for its owner, words, order and filters only", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  for (const each of [caller, caller, stranger]) await createPerson(each, { personName: "Lena" });
  const asked: readonly JsonObject[] = [
    { q: "lena" },
    { q: "le" },
    { q: "lena", sort: "-name" },
    { q: "lena", archived: "exclude" },
    { q: "lena", status: "ACTIVE" },
    { q: "lena", relationshipType: "FRIEND" },
  ];
  const cursors = await Promise.all(
    asked.map(async (body) => (await ask(caller, { ...body, limit: 1 })).body.data.nextCursor),
  );
  const list = await caller.call("GET", `${PEOPLE}?sort=name&limit=1`);
  await assertWritesNothing(world(), async () => {
    for (const [index, body] of asked.entries()) {
      for (const [origin, cursor] of cursors.entries()) {
        const response = await ask(caller, { ...body, cursor });
        if (origin === index) assertEquals(response.body.data.items.length, 1);
        else assertInvalid(response, ["cursor.unknown"], ["cursor"]);
      }
      for (const cursor of [list.body.data.nextCursor, "x"]) {
        assertInvalid(await ask(caller, { ...body, cursor }), ["cursor.unknown"], ["cursor"]);
      }
      const foreign = await ask(stranger, { ...body, cursor: cursors[index] });
      assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
    }
  });
});

Deno.test("Words that cannot be searched for are refused, and a name is never in a URL", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    for (const q of ["-", "a ".repeat(17)]) {
      assertInvalid(await ask(caller, { q }), ["search.words"], ["q"]);
    }
    assertInvalid(await ask(caller, { q: "a".repeat(101) }), ["field.length"], ["q"]);
    assertInvalid(await ask(caller, { q: "a", sort: "title" }), ["field.option"], ["sort"]);
    assertInvalid(await ask(caller, {}), ["field.required"], ["q"]);
    const inUrl = await caller.call("POST", `${FIND}?q=lena`, { body: { q: "a" } });
    assertInvalid(inUrl, ["undeclared_field"], ["q"]);
    assertInvalid(await caller.call("GET", `${PEOPLE}?q=lena`), ["undeclared_field"], ["q"]);
    assertInvalid(await caller.call("GET", FIND), ["person_id.format"], []);
  });
});

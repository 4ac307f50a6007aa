/** The list of people by name and by last contact. */

import { assertEquals } from "@std/assert";
import { inOrder, naiveForm } from "../support/naive_order.ts";
import { mixedText } from "../support/naive_search.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { createPerson, move, PEOPLE } from "../families/relationship/api.ts";

const world = fileWorld();

const SORTS = ["name", "-name", "lastContact", "-lastContact"] as const;

const KEPT: Readonly<Record<string, readonly string[]>> = {
  exclude: ["ACTIVE", "PAUSED"],
  only: ["ARCHIVED", "SEALED"],
  include: ["ACTIVE", "PAUSED", "ARCHIVED", "SEALED"],
};

/** In all statuses, with equal names and contacts, and without either. */
async function randomPeople(caller: Caller, random: Random, count: number): Promise<void> {
  const names = ["Łódź", "lodz", "Zoë", "🌊", "Ærø 漢字", "a".repeat(200), "Anna  Łukasz"];
  for (let index = 0; index < count; index++) {
    world().advance(1);
    const known = await createPerson(caller, {
      personName: random.chance(0.4)
        ? random.pick(names)
        : `${mixedText(random, 12).replaceAll(/\p{Cc}/gu, " ")}.`,
      relationshipType: random.pick(["FRIEND", "FAMILY"]),
      ...(random.chance(0.7) && {
        lastContactAt: new Date(Date.UTC(1990 + random.integer(0, 9), 0)).toISOString(),
      }),
    });
    for (
      const to of random.pick([[], ["PAUSED"], ["archive"], ["SEALED"], ["archive", "SEALED"]])
    ) {
      await move(caller, known, to as "PAUSED" | "archive" | "SEALED");
    }
  }
}

function expectedPeople(people: readonly Json[], sort: (typeof SORTS)[number]): Json[] {
  const place = ({ personId: id, personName, lastContactAt }: Json) => ({
    value: sort.endsWith("name") ? naiveForm(personName) : lastContactAt,
    id,
  });
  return inOrder(people, place, sort.startsWith("-"));
}

Deno.test("People are listed once each by name and last contact, with every filter", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const random = seededRandom(1);
  await randomPeople(caller, random, 40);
  await createPerson(stranger, { lastContactAt: "1990-01-01T00:00:00Z" });
  const people = (await walkPages(caller, PEOPLE, { limit: "100" })).flat();
  assertEquals(people.length, 40);
  for (let run = 0; run < 30; run++) {
    const sort = SORTS[run % 4] ?? "name";
    const archived = random.pick(["exclude", "only", "include", undefined]);
    const status = random.pick([undefined, undefined, ...KEPT.include ?? []]);
    const relationshipType = random.pick([undefined, "FAMILY"]);
    const filter = { ...(archived && { archived }), ...(status && { status }) };
    const parameters = {
      ...filter,
      ...(relationshipType && { relationshipType }),
      limit: String(random.pick([1, 3, 7, 39, 40, 100])),
    };
    const kept = people.filter((known) =>
      KEPT[archived ?? "include"]?.includes(known.status) &&
      known.status === (status ?? known.status) &&
      known.relationshipType === (relationshipType ?? known.relationshipType)
    );
    const label = JSON.stringify({ sort, ...parameters });
    const sorted = await walkPages(caller, PEOPLE, { ...parameters, sort });
    assertEquals(sorted.flat(), expectedPeople(kept, sort), label);
    assertEquals((await walkPages(caller, PEOPLE, parameters)).flat(), kept, label);
  }
});

Deno.test("A cursor of sorted people works for its owner, order and filters only", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  for (const each of [caller, caller, stranger]) await createPerson(each);
  const lists = [
    "",
    "archived=exclude&",
    ...SORTS.map((sort) => `sort=${sort}&`),
    "sort=name&archived=exclude&",
    "sort=name&status=ACTIVE&",
  ];
  const cursors = new Map<string, string>();
  for (const list of lists) {
    const { body } = await caller.call("GET", `${PEOPLE}?${list}limit=1`);
    cursors.set(list, encodeURIComponent(body.data.nextCursor));
  }
  await assertWritesNothing(world(), async () => {
    for (const list of lists) {
      for (const [origin, cursor] of cursors) {
        const response = await caller.call("GET", `${PEOPLE}?${list}limit=2&cursor=${cursor}`);
        if (origin === list) assertEquals(response.body.data.items.length, 1, list);
        else assertInvalid(response, ["cursor.unknown"], ["cursor"], `${origin} ${list}`);
      }
      const foreign = await stranger.call("GET", `${PEOPLE}?${list}cursor=${cursors.get(list)}`);
      assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
    }
    for (const name of ["sort", "archived"]) {
      assertInvalid(await caller.call("GET", `${PEOPLE}?${name}=x`), ["field.option"], [name]);
    }
  });
});

Deno.test("Only people by name wait for the order of records", async () => {
  const caller = await world().createCaller();
  await createPerson(caller);
  const statusOf = async (sort: string) =>
    (await caller.call("GET", `${PEOPLE}?sort=${sort}`)).status;
  await world().raw("update search_index_build set order_is_complete = false");
  const waiting = await Promise.all(SORTS.map(statusOf));
  await world().raw("update search_index_build set order_is_complete = true");
  assertEquals(waiting, [503, 503, 200, 200]);
  assertEquals(await statusOf("name"), 200);
});

import { assert, assertEquals } from "@std/assert";
import { decodeTime } from "@std/ulid";
import { firstIdAt, idAfter, isUlid, newId, nextId, withIdsAfter } from "../../../src/core/ids.ts";
import { seededRandom } from "../../support/random.ts";

/** The end of the year 9999. */
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

Deno.test("isUlid() accepts canonical identifiers only", () => {
  const accepted = [
    "00000000000000000000000000",
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  ];
  const refused = [
    "",
    "01ARZ3NDEKTSV4RRFFQ69G5FA",
    "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
    "01arz3ndektsv4rrffq69g5fav",
    "81ARZ3NDEKTSV4RRFFQ69G5FAV",
    "01ARZ3NDEKTSV4RRFFQ69G5FAI",
    "01ARZ3NDEKTSV4RRFFQ69G5FAL",
    "01ARZ3NDEKTSV4RRFFQ69G5FAO",
    "01ARZ3NDEKTSV4RRFFQ69G5FAU",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV\n",
    " 01ARZ3NDEKTSV4RRFFQ69G5FA",
    "01ARZ3NDEKTSV4RRFFQ69G5FA\u0663",
  ];
  for (const text of accepted) assert(isUlid(text), text);
  for (const text of refused) assert(!isUlid(text), text);
});

Deno.test("newId() makes distinct canonical identifiers with their time", () => {
  const random = seededRandom(1);
  for (let round = 0; round < 500; round++) {
    const at = new Date(random.integer(0, LAST));
    const [one, other] = [newId(at), newId(at)];
    assert(isUlid(one) && isUlid(other), one);
    assertEquals([decodeTime(one), decodeTime(other)], [at.getTime(), at.getTime()]);
    assert(one !== other);
  }
});

Deno.test("idAfter() makes ascending identifiers, also if the clock stands still or goes back", () => {
  const random = seededRandom(3);
  const start = Date.parse("2026-11-20T12:00:00.000Z");
  let last: string | null = null;
  for (let round = 0; round < 500; round++) {
    const at = new Date(start + random.pick([0, 0, -1000, round]));
    const id: string = idAfter(last, at);
    assert(isUlid(id), id);
    assert(last === null || id > last, `${last} ${id}`);
    assert(decodeTime(id) >= at.getTime());
    last = id;
  }
  assertEquals(decodeTime(idAfter(null, new Date(start))), start);
});

Deno.test("nextId() makes ascending identifiers within one millisecond, and follows the clock", () => {
  const at = new Date("2026-11-20T12:00:00.000Z");
  const time = newId(at).slice(0, 10);
  let last = newId(at);
  for (let round = 0; round < 200; round++) {
    const id = nextId(last, at);
    assert(isUlid(id) && id > last, `${last} ${id}`);
    assertEquals(decodeTime(id), at.getTime());
    last = id;
  }
  // The maximum: the following identifier is used.
  const follow = [["ZZZZZZZZZZZZZZZY", "ZZZZZZZZZZZZZZZZ"], [
    "ZZZZZZZZZZZZZZ9Z",
    "ZZZZZZZZZZZZZZA0",
  ]];
  for (const [before, behind] of follow) assertEquals(nextId(time + before, at), time + behind);
  assertEquals(decodeTime(nextId(last, new Date(at.getTime() + 1))), at.getTime() + 1);
});

Deno.test("withIdsAfter() makes ascending identifiers within one millisecond, after another one", () => {
  const at = new Date("2026-11-20T12:00:00.000Z");
  const later = at.getTime() + 5;
  const items = Array.from({ length: 200 }, (_, index) => index);
  const cases: [string | null, number][] = [
    [null, at.getTime()],
    [newId(new Date(at.getTime() - 1)), at.getTime()],
    [newId(new Date(later)), later + 1],
  ];
  for (const [last, time] of cases) {
    const given = withIdsAfter(items, last, at);
    assertEquals(given.map(([, item]) => item), items);
    const ids = given.map(([id]) => id);
    const chain = last === null ? ids : [last, ...ids];
    assertEquals([...new Set(chain)].toSorted(), chain);
    for (const id of ids) assertEquals([isUlid(id), decodeTime(id)], [true, time]);
  }
  assertEquals(withIdsAfter([], newId(new Date(later)), at), []);
});

Deno.test("firstIdAt() divides identifiers by time, in byte order", () => {
  const random = seededRandom(2);
  for (let round = 0; round < 500; round++) {
    const at = random.integer(1, LAST);
    const first = firstIdAt(new Date(at));
    assert(isUlid(first), first);
    assert(newId(new Date(at)) >= first, String(at));
    assert(newId(new Date(at - 1)) < first, String(at));
  }
});

Deno.test("firstIdAt() treats every time before 1970 as the first", () => {
  const first = "0".repeat(26);
  for (const at of ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z"]) {
    assertEquals(firstIdAt(new Date(at)), first);
  }
});

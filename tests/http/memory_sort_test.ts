/** The list of memories by their time. */

import { assert, assertEquals } from "@std/assert";
import { TIME_PRECISIONS } from "../../src/catalog/time_precisions.ts";
import { done, remember, textPath, TEXTS, withoutSecrets } from "../families/memory/api.ts";
import { inOrder } from "../support/naive_order.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld } from "../support/world.ts";
import { assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";

const world = fileWorld();

const TIMES = [
  "0001-01-01T00:00:00Z",
  "1969-12-31T23:30:00-05:00",
  "1990-07-16T20:00:00+09:00[Asia/Tokyo]",
  "1996-02-29T12:00:00Z",
  "1999-12-31T23:59:59.999Z",
  "2011-12-31T12:00:00+14:00[Pacific/Apia]",
];

/** With every precision, without a time, archived and SECRET. */
async function randomMemories(caller: Caller, random: Random, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { memoryId } = await remember(caller, {
      memoryType: random.pick(["PLACE", "EVENT"]),
      privacyLevel: random.pick(["NORMAL", "PRIVATE", "SECRET"]),
      ...(random.chance(0.8) && {
        occurredAt: random.pick(TIMES),
        timePrecision: random.pick(TIME_PRECISIONS.filter((each) => each !== "UNKNOWN")),
        timeText: "At the lake",
      }),
    });
    if (random.chance(0.3)) {
      await done(caller, textPath({ memoryId }, "/archive"), { expectedRevision: 1 });
    }
  }
}

const FILTERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { archived: "only" },
  { archived: "include" },
  { archived: "include", memoryType: "EVENT" },
  { privacyLevel: "SECRET" },
  { from: "1990-01-01T00:00:00Z" },
  { to: "1990-08-01T00:00:00Z", archived: "include" },
  { from: "1998-01-01T00:00:00Z", to: "2000-01-01T00:00:00Z", privacyLevel: "NORMAL" },
  { from: "0001-01-01T00:00:00Z", to: "0001-01-03T00:00:00Z" },
  { onDay: "1990-07-16T00:00:00+09:00", archived: "include" },
  { onDay: "1996-02-29T00:00:00Z", to: "1999-12-31T23:59:59Z" },
];

Deno.test("Memories are listed once each by their time, with every filter and to every reader", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(4);
  await randomMemories(caller, random, 60);
  await remember(await world().createCaller(), { occurredAt: TIMES[2] ?? "" });
  const reader = await withoutSecrets(world(), caller);
  let count = 0;
  for (const filter of FILTERS) {
    for (const [each, sort] of [[caller, "occurredAt"], [reader, "-occurredAt"]] as const) {
      const memories = (await walkPages(each, TEXTS, { ...filter, limit: "100" })).flat();
      const expected = inOrder(memories, ({ memoryId: id, timeRange }) => ({
        value: timeRange === null ? null : Date.parse(timeRange.from),
        id,
      }), sort === "-occurredAt");
      const limit = String(random.pick([1, 5, 19, 100]));
      const pages = await walkPages(each, TEXTS, { ...filter, sort, limit });
      assertEquals(pages.flat(), expected, JSON.stringify({ sort, ...filter }));
      count += expected.length;
    }
  }
  assert(count > 200, `${count} memories`);
});

Deno.test("A cursor of sorted memories works for its owner, order and filters only", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  for (const each of [caller, caller, stranger]) {
    await remember(each, { occurredAt: TIMES[2] ?? "", timePrecision: "DAY" });
  }
  const lists = [
    "sort=occurredAt&",
    "sort=-occurredAt&",
    "sort=occurredAt&archived=include&",
    "sort=occurredAt&from=1980-01-01T00:00:00Z&",
    "sort=occurredAt&to=1999-01-01T00:00:00Z&",
    // Other midnights of the same day, and other days of the same midnight.
    "sort=occurredAt&onDay=1990-07-16T00:00:00%2B09:00&",
    "sort=occurredAt&onDay=1990-07-16T00:00:00%2B12:00&",
  ];
  const sameMidnight = "sort=occurredAt&onDay=1990-07-15T00:00:00-12:00&";
  const cursors = await Promise.all(lists.map(async (list) => {
    const { body } = await caller.call("GET", `${TEXTS}?${list}limit=1`);
    return encodeURIComponent(body.data.nextCursor);
  }));
  const { body: { data: { items } } } = await caller.call("GET", `${TEXTS}?limit=1`);
  await assertWritesNothing(world(), async () => {
    for (const [index, list] of lists.entries()) {
      for (const [origin, cursor] of cursors.entries()) {
        const response = await caller.call("GET", `${TEXTS}?${list}limit=2&cursor=${cursor}`);
        if (origin === index) assertEquals(response.body.data.items.length, 1, list);
        else assertInvalid(response, ["cursor.unknown"], ["cursor"], list);
      }
      for (
        const foreign of [
          await stranger.call("GET", `${TEXTS}?${list}cursor=${cursors[index]}`),
          await caller.call("GET", `${TEXTS}?${list}cursor=${items[0].memoryId}`),
          await caller.call("GET", `${TEXTS}?cursor=${cursors[index]}`),
        ]
      ) assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
    }
    const other = await caller.call("GET", `${TEXTS}?${sameMidnight}cursor=${cursors.at(-1)}`);
    assertInvalid(other, ["cursor.unknown"], ["cursor"]);
    const plain = await caller.call("GET", `${TEXTS}?cursor=x&limit=0`);
    assertInvalid(plain, ["field.identifier", "field.range"], ["cursor", "limit"]);
    assertInvalid(await caller.call("GET", `${TEXTS}?sort=time`), ["field.option"], ["sort"]);
  });
});

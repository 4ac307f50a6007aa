/** Local times of memories: input, changes, drafts, slices, days and repeated imports. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import {
  done,
  DRAFTS,
  MEMORY,
  post,
  read,
  remember,
  textPath,
  TEXTS,
} from "../families/memory/api.ts";
import { imported, itemsFile, itemsOf, memoryItem } from "./imports.ts";
import { assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";

const world = sharedWorld();

const TOKYO = "2025-11-01T08:00:00+09:00[Asia/Tokyo]";
const SHOWN = "2025-11-01T08:00:00.000+09:00[Asia/Tokyo]";
const INSTANT = "2025-10-31T23:00:00.000Z";
const NO_CLOCK = INSTANT.replace("Z", "-00:00");

function saveDraft(caller: Caller, draftId: string, body: JsonObject) {
  return caller.call("PUT", `${DRAFTS}/${draftId}`, { body: { draftVersion: 1, ...body } });
}

/** Commits a new draft. */
async function committed(
  caller: Caller,
  content: JsonObject,
  { memoryId, revision }: { memoryId?: string; revision?: number } = {},
): Promise<Json> {
  const draftId = ulid();
  const saved = await saveDraft(caller, draftId, { content, ...memoryId && { memoryId } });
  assertEquals(saved.body.data?.content, content, saved.text);
  const body = revision === undefined ? {} : { expectedRevision: revision };
  return await done(caller, `${DRAFTS}/${draftId}/commit`, body);
}

Deno.test("A memory keeps the clock of its time, created by a request or a draft", async () => {
  const caller = await world().createCaller();
  const clocks: readonly (readonly [sent: string, shown: string | undefined])[] = [
    [TOKYO, SHOWN],
    ["2025-10-31t23:00:00z[!asia/tokyo]", SHOWN],
    ["2025-11-01T04:30:00+05:30[Asia/Calcutta]", "2025-11-01T04:30:00.000+05:30[Asia/Calcutta]"],
    ["2025-10-31T23:00:00+00:00", "2025-10-31T23:00:00.000+00:00"],
    [INSTANT, undefined],
    [NO_CLOCK, undefined],
  ];
  for (const [occurredAt, shown] of clocks) {
    const memories = [
      await remember(caller, { occurredAt }),
      await committed(caller, { ...MEMORY, occurredAt }),
    ];
    for (const memory of memories) {
      assertEquals([memory.occurredAt, memory.localTimes.occurredAt], [INSTANT, shown], occurredAt);
      assertEquals(await read(caller, textPath(memory)), memory);
    }
  }
});

Deno.test("A bad clock of a memory is refused by rule, and repeats nothing", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const refused: Readonly<Record<string, readonly string[]>> = {
    "field.datetime": [
      "2025-11-01T08:00:00[Asia/Tokyo]",
      "2025-11-01T08:00:00+09:00[Asia/Tokyo][u-ca=hebrew]",
      "2025-11-01T08:00:00+09:00[+09:00]",
      "2025-11-01T08:00:00+09:00[ Asia/Tokyo]",
      `2025-11-01T08:00:00+09:00[${"A".repeat(65)}]`,
      "0001-01-01T00:00:00Z[America/New_York]",
    ],
    "field.time_zone": ["2025-11-01T08:00:00+09:00[JST]", "2025-11-01T08:00:00Z[Mars/Olympus]"],
    "field.time_offset": [
      "2025-11-01T08:00:00+00:00[Asia/Tokyo]",
      "2025-03-30T02:30:00+01:00[Europe/Berlin]",
    ],
  };
  await assertWritesNothing(world(), async () => {
    for (const [rule, texts] of Object.entries(refused)) {
      for (const occurredAt of texts) {
        const time = { expectedRevision: 1, timePrecision: "DAY", occurredAt };
        const responses = [
          await post(caller, TEXTS, { ...MEMORY, occurredAt }),
          await post(caller, textPath(memory, "/time"), time),
          await saveDraft(caller, ulid(), { content: { occurredAt } }),
        ];
        for (const response of responses) {
          assertInvalid(response, [rule], ["occurredAt"], occurredAt);
          assert(!response.text.includes(occurredAt.slice(19)), occurredAt);
        }
      }
    }
    const undeclared = await post(caller, TEXTS, { ...MEMORY, localTimes: {} });
    assertInvalid(undeclared, ["undeclared_field"]);
    for (const name of ["from", "to", "onDay"]) {
      const query = new URLSearchParams({ [name]: TOKYO });
      assertInvalid(await caller.call("GET", `${TEXTS}?${query}`), ["field.datetime"], [name]);
    }
  });
});

Deno.test("A memory's clock is replaced, kept or removed, and each revision and slice keeps its own", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { occurredAt: TOKYO });
  const [time, revise] = [textPath(memory, "/time"), textPath(memory, "/revisions")];
  const exact = (occurredAt: string) => ({ timePrecision: "EXACT", occurredAt });
  const day = { timePrecision: "DAY", occurredAt: INSTANT };
  const draft = (content: JsonObject) => (revision: number) =>
    committed(caller, content, { memoryId: memory.memoryId, revision });
  const send = (path: string, body: JsonObject) => (expectedRevision: number) =>
    done(caller, path, { expectedRevision, ...body });
  const offset = "2025-11-01T08:00:00.000+09:00";
  type Write = (revision: number) => Promise<Json>;
  const steps: readonly (readonly [write: Write, revision: number, shown: string | undefined])[] = [
    [send(time, exact(TOKYO)), 1, SHOWN],
    [send(time, exact(INSTANT)), 1, SHOWN],
    [draft({ occurredAt: INSTANT, timePrecision: "EXACT" }), 1, SHOWN],
    [send(time, day), 2, SHOWN],
    [send(revise, { title: "B" }), 3, SHOWN],
    [draft({ title: "C" }), 4, SHOWN],
    [send(time, { ...day, occurredAt: offset }), 5, offset],
    [draft({ ...day, occurredAt: NO_CLOCK }), 6, undefined],
    [draft({ ...day, occurredAt: TOKYO }), 7, SHOWN],
    [send(time, { timePrecision: "UNKNOWN" }), 8, undefined],
    [send(time, exact(INSTANT)), 9, undefined],
    [send(time, exact("2025-10-31T18:00:00-05:00")), 10, "2025-10-31T18:00:00.000-05:00"],
  ];
  const states = [memory];
  const slices = [await done(caller, textPath(memory, "/slices"), { label: "1" })];
  for (const [index, [write, revision, shown]] of steps.entries()) {
    const label = `step ${index}`;
    const state = await write(states.length);
    assertEquals([state.revision, state.localTimes.occurredAt], [revision, shown], label);
    if (revision === states.length) continue;
    states.push(state);
    slices.push(await done(caller, textPath(memory, "/slices"), { label }));
  }
  const range = { from: "2025-10-31T15:00:00.000Z", to: "2025-11-01T15:00:00.000Z" };
  assertEquals([states[1]?.timeRange, states[6]?.timeRange], [range, range]);
  for (const [index, { localTimes }] of states.entries()) {
    const { sliceId } = slices[index] as Json;
    const slice = await read(caller, textPath(memory, `/slices/${sliceId}`));
    const revision = await read(caller, `${revise}/${index + 1}`);
    assertEquals([slice.localTimes, revision.localTimes], [localTimes, localTimes], sliceId);
  }
  const { items } = await read(caller, revise);
  assertEquals(items.map(({ change }: Json) => change).toReversed(), [
    "CREATED",
    "TIME_CHANGED",
    "REVISED",
    "REVISED",
    "TIME_CHANGED",
    "REVISED",
    "REVISED",
    "TIME_CHANGED",
    "TIME_CHANGED",
    "TIME_CHANGED",
  ]);
  // One slice has a clock, the other none.
  for (const at of [1, 5]) {
    const { sliceId, occurredAt, localTimes } = slices[at] as Json;
    const { revision } = await read(caller, textPath(memory));
    const path = textPath(memory, `/slices/${sliceId}/recover`);
    const recovered = await done(caller, path, { expectedRevision: revision });
    assertEquals(recovered.revision, revision + 1);
    assertEquals([recovered.occurredAt, recovered.localTimes], [occurredAt, localTimes]);
    assertEquals(recovered.timeRange, states[at]?.timeRange);
  }
});

Deno.test("A replay of a memory has the clock of its first answer, and another clock is another request", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const send = (occurredAt: string) =>
    caller.call("POST", TEXTS, { key, body: { ...MEMORY, occurredAt } });
  const first = await send(TOKYO);
  const time = { expectedRevision: 1, timePrecision: "EXACT", occurredAt: NO_CLOCK };
  assertEquals((await done(caller, textPath(first.body.data, "/time"), time)).revision, 2);
  assertEquals((await send(TOKYO)).body.data, first.body.data);
  const other = await send("2025-11-01T08:00:00+09:00");
  assertEquals(other.body.error.code, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("A day of all years has a memory by the local date of its clock, wherever the reader is", async () => {
  const caller = await world().createCaller();
  const times: readonly (readonly [title: string, timePrecision: string, occurredAt: string])[] = [
    ["evening", "EXACT", "2024-12-31T23:30:00-05:00[America/New_York]"],
    ["night", "EXACT", "2025-01-01T00:00:00-05:00[America/New_York]"],
    ["day", "DAY", "2019-12-31T00:00:00+14:00"],
    ["month", "MONTH", "2019-12-31T12:00:00+01:00"],
    ["UTC", "EXACT", "2018-12-31T23:59:59.999+00:00"],
    ["25 hours", "DAY", "2025-10-26T23:59:59+01:00[Europe/Berlin]"],
    ["26 hours", "DAY", "2025-10-26T12:00:00Z[Antarctica/Troll]"],
    ["first", "EXACT", "0001-01-01T00:00:00-12:00"],
  ];
  for (const [title, timePrecision, occurredAt] of times) {
    await remember(caller, { title, timePrecision, occurredAt });
  }
  const days: Readonly<Record<string, string[]>> = {
    "2025-12-31T00:00:00+09:00": ["UTC", "day", "evening"],
    "2025-12-31t00:00:00-10:00": ["UTC", "day", "evening"],
    "2025-12-31T00:00:00+00:00": ["UTC", "day", "evening"],
    // Midnight in Tokyo, and in Honolulu.
    "2025-12-30T15:00:00Z": ["UTC", "day", "evening"],
    "2025-12-31T10:00:00z": ["UTC", "day", "evening"],
    "2025-12-31T11:59:59.999-00:00": ["UTC", "day", "evening"],
    "2025-12-31T12:00:00Z": ["first", "night"],
    "2026-01-01T00:00:00+09:00": ["first", "night"],
    "2026-10-26T00:00:00+02:00": ["25 hours", "26 hours"],
    "9999-12-31T23:00:00Z": ["first", "night"],
  };
  for (const [onDay, titles] of Object.entries(days)) {
    const found = (await walkPages(caller, TEXTS, { onDay })).flat().map(({ title }) => title);
    assertEquals(found.toSorted(), titles, onDay);
  }
});

Deno.test("A repeated import replaces a memory's clock", async () => {
  const caller = await world().createCaller();
  const bring = async (occurredAt: string) => {
    const { payload } = memoryItem("one");
    const item = memoryItem("one", { payload: { ...payload, occurredAt } });
    const { importId } = await imported(caller, "prs-items", itemsFile([item]));
    const [{ outcome }] = await itemsOf(caller, importId) as [Json];
    const { items: [memory] } = await read(caller, TEXTS);
    return [outcome, memory.revision, memory.localTimes.occurredAt];
  };
  assertEquals(await bring(TOKYO), ["NEW", 1, SHOWN]);
  assertEquals(await bring("2025-11-01T08:00:00+09:00"), ["CHANGED", 2, SHOWN.slice(0, 29)]);
  assertEquals(await bring(INSTANT), ["CHANGED", 3, undefined]);
  assertEquals(await bring(TOKYO), ["CHANGED", 4, SHOWN]);
});

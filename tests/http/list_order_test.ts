/** Lists by title and own time, compared with a sort of the whole list. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { CatalogModule } from "../../src/catalog/module.ts";
import { done, remember, textPath, withoutSecrets } from "../families/memory/api.ts";
import { inOrder, naiveForm } from "../support/naive_order.ts";
import { randomPayload } from "../support/payloads.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, createWorld, fileWorld, type Json } from "../support/world.ts";
import { forgetIndex, makeIndex } from "../storage/search_rows.ts";
import {
  assertFailure,
  assertInvalid,
  COMMITMENT,
  COMMITMENTS,
  HEALTH,
  pathOf,
  readPage,
  walkPages,
} from "./kernel.ts";

const world = fileWorld();

const SORTS = ["title", "-title", "time", "-time"];
const TODAY = ["createdAt", "-createdAt", "updatedAt", "-updatedAt"];
const TITLES = ["Łódź", "lodz", "Straße", "strasse 2", "🌊 Sea", "sea", "…", "𝒳 axis", "漢字", "ﬀ"];

/** A record of today's list, as its reader knows it. */
interface Known {
  readonly record: Json;
  /** Null if it is hidden. */
  readonly form: string | null;
  /** Milliseconds; null without one, or if it is hidden. */
  readonly time: number | null;
}

type TimeOf = (record: Json) => string | null;

function timeOf({ times }: CatalogModule): TimeOf {
  return ({ payload }) => payload[times.find((name) => payload[name] !== undefined) ?? ""] ?? null;
}

/** Archived ones too, newest first. */
async function readKnown(caller: Caller, path: string, timeOf: TimeOf): Promise<Known[]> {
  const records = (await walkPages(caller, path, { archived: "include", limit: "100" })).flat();
  return records.map((record) => {
    const time = record.redacted ? null : timeOf(record);
    return {
      record,
      form: record.redacted ? null : naiveForm(record.title),
      time: time === null ? null : Date.parse(time),
    };
  });
}

/** `known` is newest first. */
function sorted(known: readonly Known[], sort: string): Known[] {
  if (sort.endsWith("createdAt")) return sort === "createdAt" ? known.toReversed() : [...known];
  const placeOf = ({ record, form, time }: Known) => ({
    value: sort.endsWith("title") ? form : time,
    id: record.recordId,
  });
  return inOrder(known, placeOf, sort.startsWith("-"));
}

interface Query {
  readonly parameters: Record<string, string>;
  readonly matches: (known: Known) => boolean;
}

function randomQuery(known: readonly Known[], random: Random): Query {
  const sort = random.pick([...SORTS, ...SORTS, "createdAt", "-createdAt"]);
  const archived = random.pick(["exclude", "only", "include"]);
  const parameters: Record<string, string> = { sort, archived, limit: `${random.integer(1, 30)}` };
  const conditions: Query["matches"][] = [
    ({ record }) =>
      archived === "include" || (record.archivedAt !== null) === (archived === "only"),
  ];
  const times = known.flatMap(({ time }) => time ?? []).sort((a, b) => a - b);
  const early = random.integer(0, times.length - 2);
  const [from = 0, to = 0] = [times[early], times[random.integer(early + 1, times.length - 1)]];
  if (from < to && random.chance(0.4)) {
    parameters["time[from]"] = new Date(from).toISOString();
    conditions.push(({ time }) => time !== null && time >= from);
  }
  if (from < to && random.chance(0.4)) {
    parameters["time[to]"] = new Date(to).toISOString().replace("Z", "+00:00");
    conditions.push(({ time }) => time !== null && time < to);
  }
  if (random.chance(0.2)) {
    const { createdAt } = random.pick(known).record;
    parameters.createdTo = createdAt;
    conditions.push(({ record }) => record.createdAt < createdAt);
  }
  return { parameters, matches: (each) => conditions.every((holds) => holds(each)) };
}

async function assertLists(
  caller: Caller,
  code: string,
  timeOf: TimeOf,
  random: Random,
  runs: number,
): Promise<void> {
  const path = `/api/v2/records/${code}`;
  const known = await readKnown(caller, path, timeOf);
  for (let run = 0; run < runs; run++) {
    const { parameters, matches } = randomQuery(known, random);
    const label = `${code}, run ${run}: ${new URLSearchParams(parameters)}`;
    const expected = sorted(known.filter(matches), parameters.sort ?? "");
    const pages = await walkPages(caller, path, parameters);
    assertEquals(pages.flat(), expected.map(({ record }) => record), label);
    const limit = Number(parameters.limit);
    assertEquals(pages.length, Math.max(1, Math.ceil(expected.length / limit)), label);
  }
}

function randomTitle(random: Random): string {
  return random.chance(0.5) ? random.pick(TITLES) : random.text(1, 90);
}

/** Some are changed, some archived. */
async function makeRecords(caller: Caller, module: CatalogModule, random: Random): Promise<void> {
  const now = world().now();
  for (let count = 0; count < 40; count++) {
    const payload = randomPayload(module, random, { now, optional: 0.6 });
    const isCommon = random.chance(0.3);
    for (const name of module.times) {
      if (isCommon && payload[name]) payload[name] = "2011-05-05T05:05:05.005Z";
    }
    const record = await caller.create(module.code, payload, randomTitle(random));
    if (random.chance(0.2)) {
      await caller.call("PATCH", pathOf(record), { body: { title: randomTitle(random) } });
    }
    if (random.chance(0.3)) await caller.call("POST", `${pathOf(record)}/archive`);
  }
}

Deno.test("GET list by title and own time is the whole list, sorted", async () => {
  for (const [seed, code] of ["commitment", "place", "timeline", "ai-agent"].entries()) {
    const module = CATALOG.module(code);
    assert(module !== undefined);
    const random = seededRandom(seed + 1);
    const caller = await world().createCaller();
    await makeRecords(caller, module, random);
    await assertLists(caller, code, timeOf(module), random, 15);
  }
});

const TIMES = [
  { timePrecision: "UNKNOWN" },
  { timePrecision: "DAY", occurredAt: "2020-02-29T23:30:00-05:00" },
  { timePrecision: "DECADE", occurredAt: "0001-01-10T00:00:00Z" },
  { timePrecision: "YEAR", occurredAt: "1997-06-01T00:00:00Z" },
];

Deno.test("GET list puts SECRET memories last for a reader without memory.secret", async () => {
  const random = seededRandom(7);
  const caller = await world().createCaller();
  const starts = new Map<string, string | null>();
  for (let count = 0; count < 40; count++) {
    const memory = await remember(caller, {
      title: randomTitle(random),
      ...random.pick(TIMES),
      privacyLevel: random.pick(["PRIVATE", "SECRET"]),
    });
    starts.set(memory.memoryId, memory.timeRange?.from ?? null);
    if (random.chance(0.3)) await done(caller, textPath(memory, "/archive"), {});
  }
  const start: TimeOf = ({ recordId }) => starts.get(recordId) ?? null;
  await assertLists(caller, "memory", start, random, 15);
  const reader = await withoutSecrets(world(), caller);
  await assertLists(reader, "memory", start, random, 15);
  const hidden = (await readKnown(reader, "/api/v2/records/memory", start))
    .filter(({ form }) => form === null);
  assert(hidden.length > 5);
});

/** Titles `a`, `b`, ... are due on the first, second, ... */
function createDue(caller: Caller, title: string): Promise<Json> {
  const day = String(title.charCodeAt(0) - "a".charCodeAt(0) + 1).padStart(2, "0");
  return caller.create("commitment", { ...COMMITMENT, dueAt: `2026-01-${day}T00:00:00Z` }, title);
}

function titles(items: readonly Json[]): string {
  return items.map(({ title }) => title).join("");
}

Deno.test("GET list keeps its place while records are added, changed and archived", async () => {
  for (const sort of ["title", "time"]) {
    const caller = await world().createCaller();
    const made = await Promise.all([..."bdfhj"].map((title) => createDue(caller, title)));
    const first = await readPage(caller, COMMITMENTS, { sort, limit: "2" });
    assertEquals(titles(first.items), "bd", sort);
    await Promise.all([
      caller.call("POST", `${pathOf(made[1])}/archive`),
      caller.call("PATCH", pathOf(made[2]), { body: { summary: "Changed" } }),
      createDue(caller, "a"),
      createDue(caller, "e"),
    ]);
    const rest = { sort, limit: "3", cursor: first.nextCursor ?? "" };
    const second = await readPage(caller, COMMITMENTS, rest);
    assertEquals(titles(second.items), "efh", sort);
    const end = await readPage(caller, COMMITMENTS, { ...rest, cursor: second.nextCursor ?? "" });
    assertEquals([titles(end.items), end.nextCursor], ["j", null], sort);
  }
});

Deno.test("GET list lists each record once while others are created", async () => {
  const caller = await world().createCaller();
  const made = await Promise.all([..."abcdefghij"].map((title) => createDue(caller, title)));
  for (const sort of SORTS) {
    const [pages] = await Promise.all([
      walkPages(caller, COMMITMENTS, { sort, limit: "2" }),
      ...[..."klm"].map((title) => createDue(caller, title)),
    ]);
    const ids = pages.flat().map(({ recordId }) => recordId);
    assertEquals(new Set(ids).size, ids.length, sort);
    for (const { recordId } of made) assert(ids.includes(recordId), sort);
  }
});

/** Differences from the list of a cursor. */
const OTHER_LISTS: readonly Record<string, string>[] = [
  { sort: "-title" },
  { sort: "time" },
  { archived: "include" },
  { "filter[completionStatus]": "OPEN" },
  { "filter[counterparty]": "Bob" },
  { "filter[dueAt][gte]": "2026-01-01T00:00:00Z" },
  { createdFrom: "2025-01-01T00:00:00Z" },
  { updatedTo: "2027-01-01T00:00:00Z" },
  { "time[from]": "2025-01-01T00:00:00Z" },
  { "time[to]": "2027-01-01T00:00:00Z" },
];

Deno.test("GET list by title and own time accepts only its own cursors", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  for (const owner of [caller, stranger]) {
    for (const title of "abc") await createDue(owner, title);
    await owner.create("health", HEALTH);
  }
  const filters = { "filter[commitmentType]": "OUTGOING", "filter[completionStatus]": "OPEN" };
  const list = { sort: "title", limit: "1", createdFrom: "2024-01-01T00:00:00Z", ...filters };
  const { nextCursor } = await readPage(caller, COMMITMENTS, list);
  const cursor = nextCursor ?? "";
  const reversed = Object.fromEntries(Object.entries(list).toReversed());
  const rest = await readPage(caller, COMMITMENTS, { ...reversed, limit: "5", cursor });
  assertEquals(titles(rest.items), "bc");

  const unknown = async (
    reader: Caller,
    parameters: Record<string, string>,
    path = COMMITMENTS,
  ) => {
    const query = `${path}?${new URLSearchParams(parameters)}`;
    assertInvalid(await reader.call("GET", query), ["cursor.unknown"], ["cursor"], query);
  };
  await unknown(stranger, { ...list, cursor });
  const plain = (await readPage(caller, COMMITMENTS, { sort: "title", limit: "1" })).nextCursor ??
    "";
  await unknown(caller, { sort: "title", cursor: plain }, "/api/v2/records/health");
  const due = "2026-01-02T00:00:00Z";
  const until = { sort: "title", limit: "1", "filter[dueAt][lte]": due };
  const early = (await readPage(caller, COMMITMENTS, until)).nextCursor ?? "";
  await unknown(caller, { sort: "title", "filter[dueAt][gte]": due, cursor: early });
  for (const other of OTHER_LISTS) {
    await unknown(caller, { sort: "title", cursor: plain, ...other });
  }
  for (const sort of TODAY) {
    const made = await readPage(caller, COMMITMENTS, { sort, limit: "1" });
    for (const order of SORTS) {
      await unknown(caller, { sort: order, cursor: made.nextCursor ?? "" });
      await unknown(caller, { sort, cursor: plain });
    }
  }
  const altered = plain.slice(0, -5) + (plain.endsWith("AAAAA") ? "BBBBB" : "AAAAA");
  for (const text of ["", " ", "first", altered, `${plain}A`]) {
    await unknown(caller, { sort: "title", cursor: text });
  }
  const long = await caller.call("GET", `${COMMITMENTS}?sort=title&cursor=${"A".repeat(1025)}`);
  assertInvalid(long, ["field.identifier"], ["cursor"]);
});

Deno.test("GET list names neither the title nor the time of a record in a cursor", async () => {
  const caller = await world().createCaller();
  for (const title of ["unique", "unique 2"]) await createDue(caller, title);
  for (const sort of SORTS) {
    const { nextCursor } = await readPage(caller, COMMITMENTS, { sort, limit: "1" });
    const bytes = Buffer.from(nextCursor ?? "", "base64url").toString("latin1");
    assert(!bytes.includes("unique") && !bytes.includes("2026"), sort);
  }
});

Deno.test("GET list answers 503 for the orders that are not built, and serves the others", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  for (const title of "ab") await createDue(caller, title);
  await forgetIndex(own);
  const range = "time[from]=2026-01-01T00:00:00Z";
  const orders = [...SORTS.map((sort) => `sort=${sort}`), range, `sort=updatedAt&${range}`];
  const statuses = async () => {
    const answers: string[] = [];
    for (const query of orders) {
      const response = await caller.call("GET", `${COMMITMENTS}?${query}`);
      answers.push(`${response.status} ${response.headers.get("Retry-After") ?? ""}`.trim());
    }
    return new Set(answers);
  };
  const refused = await caller.call("GET", `${COMMITMENTS}?sort=title`);
  assertFailure(refused, "HTTP_503");
  const [status] = await statuses();
  assertEquals((await statuses()).size, 1);
  assert(/^503 \d+$/.test(status ?? ""), status);
  for (const sort of TODAY) await readPage(caller, COMMITMENTS, { sort });
  const unknown = await caller.call("GET", `${COMMITMENTS}?sort=title&cursor=A`);
  assertInvalid(unknown, ["cursor.unknown"], ["cursor"]);
  await makeIndex(own);
  assertEquals(await statuses(), new Set(["200"]));
});

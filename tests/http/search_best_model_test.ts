/** `order: "BEST"` of `POST /api/v2/search` equals a slow model, for random records and readers. */

import { assert, assertEquals } from "@std/assert";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { done, remember, textPath, withPermissions } from "../families/memory/api.ts";
import { contact, createPerson } from "../families/relationship/api.ts";
import { act, assign, tag } from "../families/taxonomy/api.ts";
import { naiveBest, type NaiveRecord, tagForm } from "../support/naive_best.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { COMMITMENT, pathOf } from "./kernel.ts";
import { searchAll } from "./search.ts";

const world = sharedWorld();

const WORDS = ["Müller", "Mueller", "muller", "MULLERIN", "lake", "lakes", "the", "Der", "hospital"]
  .concat([
    "hosptial",
    "øl",
    "Oel",
    "Łódź",
    "Lodz",
    "a",
    "ä",
    "東京",
    "東京タワー",
    "Мастер",
    "x9",
  ]);

function phrase(random: Random, most: number): string {
  return Array.from({ length: random.integer(1, most) }, () => random.pick(WORDS)).join(" ");
}

interface Made extends NaiveRecord {
  readonly isSecret: boolean;
  readonly isArchived: boolean;
}

const MINUTE_MS = 60_000;

async function makeRecord(caller: Caller, random: Random, terms: readonly Json[]): Promise<Made> {
  world().advance(random.integer(1, 3) * MINUTE_MS);
  const [title, text] = [phrase(random, 3), phrase(random, 4)];
  const hasTime = random.chance(0.5);
  const time = hasTime
    ? new Date(world().now().getTime() - random.integer(0, 5) * MINUTE_MS).toISOString()
    : null;
  const kind = random.pick(["commitment", "commitment", "relationship", "relationship", "memory"]);
  const made = await make(caller, kind, title, text, time);
  const carried = terms.filter(() => random.chance(0.3));
  for (const term of carried) await assign(caller, term, made);
  const isArchived = kind === "commitment" && random.chance(0.2);
  if (isArchived) await caller.call("POST", `${pathOf(made)}/archive`);
  const isSecret = kind === "memory" && random.chance(0.5);
  if (isSecret) {
    const body = { expectedRevision: 1, privacyLevel: "SECRET" };
    await done(caller, textPath({ memoryId: made.recordId }, "/privacy"), body);
  }
  const { recordId, createdAt } = made;
  return {
    recordId,
    moduleCode: kind,
    title,
    texts: [title, text],
    time: made.time,
    createdAt,
    tags: carried.flatMap(({ active, name, aliases }) =>
      active ? [name, ...aliases].map(tagForm) : []
    ),
    isSecret,
    isArchived,
  };
}

async function make(
  caller: Caller,
  kind: string,
  title: string,
  text: string,
  time: string | null,
): Promise<Json> {
  if (kind === "commitment") {
    const payload = { ...COMMITMENT, content: text, ...(time && { dueAt: time }) };
    return { ...await caller.create(kind, payload, title), time };
  }
  if (kind === "memory") {
    const memory = await remember(caller, {
      title,
      originalContent: text,
      ...(time && { timePrecision: "EXACT", occurredAt: time }),
    });
    const { memoryId: recordId, createdAt, timeRange } = memory;
    return { moduleCode: kind, recordId, createdAt, time: timeRange?.from ?? null };
  }
  const known = await createPerson(caller, { personName: title, opinion: text });
  if (time !== null) await contact(caller, known, { contactedAt: time });
  return { moduleCode: kind, recordId: known.personId, createdAt: known.createdAt, time };
}

interface Reader {
  readonly caller: Caller;
  readonly modules: readonly string[];
  readonly seesSecrets: boolean;
  readonly seesTags: boolean;
}

async function readersOf(caller: Caller): Promise<readonly Reader[]> {
  const every = CATALOG.modules.map(({ code }) => code);
  const reads = ["search.read", "record.read", "relationship.person.read"] as const;
  const limited = async (modules: readonly string[]) => {
    const { token } = await makeToken(world(), caller, { permissions: PERMISSIONS, modules });
    return callerOf(world().app, { ...caller, secret: token });
  };
  return [
    { caller, modules: every, seesSecrets: true, seesTags: true },
    {
      caller: await withPermissions(world(), caller, ...reads, "memory.read", "taxonomy.read"),
      modules: ["commitment", "relationship", "memory", "taxonomy"],
      seesSecrets: false,
      seesTags: true,
    },
    {
      caller: await withPermissions(world(), caller, ...reads),
      modules: ["commitment", "relationship"],
      seesSecrets: true,
      seesTags: false,
    },
    {
      caller: await limited(["memory", "taxonomy"]),
      modules: ["memory", "taxonomy"],
      seesSecrets: true,
      seesTags: true,
    },
    { caller: await limited(["memory"]), modules: ["memory"], seesSecrets: true, seesTags: false },
  ];
}

const TAGS: readonly [string, string[], boolean][] = [
  ["Summer house", ["lake-house"], true],
  ["Łódź!", [], true],
  ["the", [], true],
  ["Hospital", [], false],
];

function randomQuery(random: Random): string {
  const cut = (word: string) =>
    random.chance(0.3) ? [...word].slice(0, random.integer(1, 5)).join("") : word;
  const mistyped = (word: string) => {
    const at = random.integer(0, word.length - 1);
    return random.chance(0.2) ? word.slice(0, at) + word.slice(at + 1) || "x" : word;
  };
  const words = Array.from(
    { length: random.integer(1, 3) },
    () => mistyped(cut(random.pick(WORDS))),
  );
  const tokens = [
    "#summer-house",
    "#LAKE_house",
    "#lodz",
    "#the",
    "#hospital",
    "#nothing",
    "a#lodz",
  ];
  if (random.chance(0.25)) words.splice(random.integer(0, words.length), 0, random.pick(tokens));
  return random.chance(0.1) ? random.pick(tokens) : words.join(random.pick([" ", ", ", "  "]));
}

Deno.test("BEST equals a slow model, whoever reads, in pages of any size", async () => {
  const random = seededRandom(57);
  const caller = await world().createCaller();
  const terms: Json[] = [];
  for (const [name, aliases] of TAGS) terms.push(await tag(caller, name, { aliases }));
  const records: Made[] = [];
  while (records.length < 80) {
    const active = terms.map((term, index) => ({ ...term, active: TAGS[index]?.[2] }));
    records.push(await makeRecord(caller, random, active));
  }
  for (const [index, term] of terms.entries()) {
    const [name, aliases, isActive] = TAGS[index] ?? ["", [], true];
    if (!isActive) await act(caller, term, "deactivate");
    records.push({
      recordId: term.termId,
      moduleCode: "taxonomy",
      title: name,
      texts: [name, ...aliases],
      time: null,
      createdAt: term.createdAt,
      tags: [],
      isSecret: false,
      isArchived: !isActive,
    });
  }
  const known = new Set(
    TAGS.flatMap(([name, aliases, isActive]) => isActive ? [name, ...aliases].map(tagForm) : []),
  );
  const readers = await readersOf(caller);
  const counts = new Map<string, number>();
  for (let run = 0; run < 60; run++) {
    const reader = random.pick(readers);
    const [q, limit] = [randomQuery(random), random.pick([1, 3, 7, 50])];
    const archived = random.pick(["exclude", "exclude", "include", "only"]);
    const named = random.chance(0.2) ? [random.pick(reader.modules)] : undefined;
    const shown = records.filter(({ moduleCode, isSecret, isArchived }) =>
      (named ?? reader.modules).includes(moduleCode) && (reader.seesSecrets || !isSecret) &&
      (archived === "include" || (archived === "only") === isArchived)
    );
    const items = await searchAll(reader.caller, q, {
      order: "BEST",
      limit,
      archived,
      ...(named && { modules: named }),
    });
    const expected = naiveBest(q, shown, reader.seesTags ? known : new Set());
    const label = JSON.stringify({ run, q, limit, archived, named });
    assertEquals(items.map(({ recordId, match }) => ({ recordId, match })), expected, label);
    for (const item of items) {
      const { time, title } = shown.find(({ recordId }) => recordId === item.recordId) ?? {};
      assertEquals([item.time, item.title], [time, title], label);
      counts.set(item.match, (counts.get(item.match) ?? 0) + 1);
    }
  }
  assert(
    counts.size === 6 && [...counts.values()].every((count) => count > 8),
    JSON.stringify([...counts]),
  );
});

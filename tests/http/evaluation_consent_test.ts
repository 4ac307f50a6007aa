/**
 * The provider's input compared byte for byte with consent, over random people, evidence and
 * requests.
 */

import { assert, assertEquals } from "@std/assert";
import { Secret } from "../../src/operator/config/secrets.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { createHttpProvider } from "../../src/families/relationship/evaluation/http_provider.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, createWorld, type Json, type World } from "../support/world.ts";
import { completion, type ProviderServer, serveProvider } from "../support/provider_server.ts";
import { propose, shown } from "../families/relationship/evaluation.ts";
import {
  contact,
  control,
  createPerson,
  current,
  evidence,
  experience,
  move,
  personPath,
} from "../families/relationship/api.ts";

/** Between request and worker. */
const CHANGES = [
  "nothing",
  "added",
  "added in secret",
  "replaced",
  "retracted",
  "superseded",
  "not raised",
  "raised to PRIVATE",
  "raised to SECRET",
  "modified",
  "elsewhere",
  "paused",
  "archived",
  "sealed",
] as const;
const ROUNDS = 1;

type Change = (typeof CHANGES)[number];

const LEVELS = ["NORMAL", "PRIVATE", "SECRET"] as const;
const KEY = "a-key-that-only-tests-know";

type Level = (typeof LEVELS)[number];

interface KnownEntry {
  readonly shown: Json;
  readonly level: Level;
  effective: Level;
  isLive: boolean;
}

interface Known {
  readonly owner: Caller;
  readonly personId: string;
  readonly entries: KnownEntry[];
}

Deno.test("A provider receives exactly what consent allows", async () => {
  await using world = await createWorld();
  await using server = serveProvider(() => new Response(completion("An evaluation")));
  const random = seededRandom(17);
  const owners = [await world.createCaller(), await world.createCaller()];
  const expected: string[] = [];
  const checks: (() => Promise<void>)[] = [];
  const cases = CHANGES.flatMap((kind) => [true, false].map((consent) => ({ kind, consent })));
  for (const { kind, consent } of Array(ROUNDS).fill(cases).flat()) {
    const known = await makePerson(random, random.pick(owners));
    const proposal = await propose(known.owner, known, consent);
    const before = await sourcesOf(known);
    await change(random, known, kind);
    const after = await current(known.owner, known);
    const isOpen = ["ACTIVE", "PAUSED"].includes(after.status);
    const isAsked = isOpen && await sourcesOf(known) === before;
    if (isAsked) expected.push(JSON.stringify(allowed(after, known.entries, consent)));
    checks.push(async () => {
      const { state, candidate } = await shown(known.owner, proposal);
      const otherwise = isOpen ? "STALE" : leftAs(after.status);
      assertEquals(state, isAsked ? "READY" : otherwise, kind);
      assertEquals(candidate, isAsked ? "An evaluation" : null);
    });
  }
  await work(world, server);
  assertEquals(server.requests.map(wordsOf).sort(), expected.sort());
  for (const check of checks) await check();
});

function leftAs(status: string): string {
  return status === "SEALED" ? "EXPIRED" : "REQUESTED";
}

/** Completes all waiting work. */
async function work(world: World, { url }: ProviderServer): Promise<void> {
  const provider = createHttpProvider({ url, model: "sober-1", key: new Secret(KEY) });
  const app = world.again({
    evaluation: { provider, readySeconds: 3_600, timer: () => () => {} },
  });
  await waitUntil("nothing waits", async () => {
    const [row] = await world.rows(`
      select count(*)::integer as count from person_proposals p join people using (owner_id, person_id)
       where p.state = 'REQUESTED' and people.status in ('ACTIVE', 'PAUSED')`);
    return row.count === 0;
  });
  await app.drain();
}

/** The variable part of a request; the rest is fixed. */
function wordsOf({ method, target, headers, body }: ProviderServer["requests"][number]): string {
  const { messages: [system, user, ...more], ...rest } = JSON.parse(body);
  assertEquals([method, target], ["POST", "/v1/chat/completions"]);
  const { host, "content-length": length, ...sent } = headers;
  assert(
    host?.startsWith("127.0.0.1:") && Number(length) === new TextEncoder().encode(body).length,
  );
  assertEquals(sent, {
    "accept": "application/json",
    "accept-encoding": "gzip,br",
    "accept-language": "*",
    "authorization": `Bearer ${KEY}`,
    "content-type": "application/json",
    "user-agent": `Deno/${Deno.version.deno}`,
  });
  assertEquals([rest, more], [{ model: "sober-1", stream: false }, []]);
  assertEquals([Object.keys(user), user.role], [["role", "content"], "user"]);
  // The instruction is constant.
  assert(
    system.role === "system" && system.content.startsWith("The user message is a JSON object"),
  );
  const exactly = { model: "sober-1", messages: [system, user], stream: false };
  assertEquals(body, JSON.stringify(exactly));
  return user.content;
}

function allowed(person: Json, entries: readonly KnownEntry[], consent: boolean): JsonObject {
  const counted = taken(entries);
  const countOf = (stance: string) =>
    counted.filter((entry) => entry.shown.stance === stance).length;
  return {
    relationshipType: person.relationshipType,
    importance: person.importance,
    lastContactAt: person.lastContactAt,
    desiredContactIntervalDays: person.desiredContactIntervalDays,
    evidenceCounts: { supporting: countOf("SUPPORTING"), counter: countOf("COUNTER") },
    ...(consent && {
      consented: {
        personName: person.personName,
        opinion: person.opinion,
        evidence: person.evidence,
        counterEvidence: person.counterEvidence,
        entries: counted.filter(isConsented).map(({ shown }) => ({
          stance: shown.stance,
          sourceKind: shown.sourceKind,
          content: shown.content,
        })),
      },
    }),
  };
}

/** Live evidence; SECRET only if written so with consent. Ordered by id. */
function taken(entries: readonly KnownEntry[]): KnownEntry[] {
  return entries
    .filter((entry) => entry.isLive && (entry.effective !== "SECRET" || isConsented(entry)))
    .sort((one, other) => one.shown.evidenceId < other.shown.evidenceId ? -1 : 1);
}

function isConsented({ shown, level, effective }: KnownEntry): boolean {
  return shown.providerConsent && (effective !== "SECRET" || level === "SECRET");
}

async function sourcesOf(known: Known): Promise<string> {
  const { updatedAt: _updatedAt, ...person } = await current(known.owner, known);
  const entries = taken(known.entries).map(({ shown, effective }) => [shown.evidenceId, effective]);
  return JSON.stringify([person, entries]);
}

async function makePerson(random: Random, owner: Caller): Promise<Known> {
  const text = () => random.text(1, 40);
  const maybe = (name: string, value: unknown) =>
    random.chance(0.5) ? { [name]: value } as JsonObject : {};
  const { personId } = await createPerson(owner, {
    personName: text(),
    relationshipType: random.pick(["FRIEND", "PARTNER", "OTHER"]),
    importance: random.integer(1, 5),
    ...maybe("lastContactAt", "2026-05-01T12:00:00.000Z"),
    ...maybe("desiredContactIntervalDays", random.integer(1, 300)),
    ...maybe("opinion", text()),
    ...maybe("evidence", text()),
    ...maybe("counterEvidence", text()),
  });
  const known: Known = { owner, personId, entries: [] };
  // Not sources of evaluations.
  await contact(owner, known, { note: text() });
  await experience(owner, known, { narrative: text() });
  // Two for changes, others partly ended or raised.
  const levels: Level[] = ["NORMAL", "NORMAL"];
  for (let more = random.integer(0, 3); more > 0; more--) levels.push(random.pick(LEVELS));
  for (const level of levels) {
    await addEntry(known, level, {
      stance: random.pick(["SUPPORTING", "COUNTER"]),
      content: random.text(1, 60),
      sourceKind: random.pick(["OBSERVATION", "MESSAGE", "OTHER"]),
      providerConsent: random.chance(0.6),
    });
  }
  for (const entry of known.entries.slice(2)) {
    const choice = random.integer(0, 3);
    if (choice === 0) await endEntry(known, entry, random.pick([undefined, known.entries[0]]));
    if (choice === 1) await raiseEntry(known, entry, "SECRET");
  }
  return known;
}

async function change(random: Random, known: Known, kind: Change): Promise<void> {
  const { owner, entries } = known;
  const [entry, other] = entries.filter(({ isLive, effective }) =>
    isLive && effective === "NORMAL"
  );
  assert(entry !== undefined && other !== undefined);
  const words = { stance: "COUNTER", sourceKind: "OTHER", content: random.text(1, 60) };
  switch (kind) {
    case "nothing":
      return;
    case "added":
      return await addEntry(known, "PRIVATE", { ...words, providerConsent: random.chance(0.5) });
    case "added in secret":
      return await addEntry(known, "SECRET", { ...words, providerConsent: false });
    case "replaced": {
      await endEntry(known, entry);
      const { stance, sourceKind, providerConsent } = entry.shown;
      return await addEntry(known, "NORMAL", { ...words, stance, sourceKind, providerConsent });
    }
    case "retracted":
      return await endEntry(known, entry);
    case "superseded":
      return await endEntry(known, entry, other);
    case "not raised":
      return await raiseEntry(known, entry, "NORMAL");
    case "raised to PRIVATE":
      return await raiseEntry(known, entry, "PRIVATE");
    case "raised to SECRET":
      return await raiseEntry(known, entry, "SECRET");
    case "modified": {
      const { revision: expectedRevision } = await current(owner, known);
      const body = { expectedRevision, set: { opinion: random.text(41, 50) } };
      const path = personPath(known);
      const { status } = await owner.call("PATCH", path, { key: random.ulid(), body });
      return assertEquals(status, 200);
    }
    case "elsewhere":
      return void await experience(owner, known, { narrative: random.text(1, 20) });
    case "paused":
      return void await move(owner, known, "PAUSED");
    case "archived":
      return void await move(owner, known, "archive");
    case "sealed":
      return void await move(owner, known, "SEALED");
  }
}

async function addEntry(known: Known, level: Level, body: JsonObject): Promise<void> {
  const shown = await evidence(known.owner, known, { ...body, privacy: level });
  known.entries.push({ shown, level, effective: level, isLive: true });
}

/** Retracts or supersedes. */
async function endEntry({ owner }: Known, entry: KnownEntry, by?: KnownEntry): Promise<void> {
  const body = by === undefined
    ? { kind: "RETRACTED" }
    : { kind: "SUPERSEDED", supersededBy: by.shown.evidenceId };
  assertEquals((await control(owner, entry.shown, body)).status, 200);
  entry.isLive = false;
}

async function raiseEntry({ owner }: Known, entry: KnownEntry, privacy: Level): Promise<void> {
  const { status } = await control(owner, entry.shown, { kind: "PRIVACY_RECLASSIFIED", privacy });
  assertEquals(status, 200);
  entry.effective = privacy;
}

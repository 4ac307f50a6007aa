/**
 * What leaves for a provider, compared byte for byte with what consent allows: over random people,
 * evidence, reclassifications and requests, through the routes, the worker and a provider that records.
 */

import { assert, assertEquals } from "@std/assert";
import { Secret } from "../../src/config/secrets.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { createHttpProvider } from "../../src/evaluation/http_provider.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { waitUntil } from "../support/wait.ts";
import { createWorld, type Json, type Person, type World } from "../support/world.ts";
import { completion, type ProviderServer, serveProvider } from "../support/provider_server.ts";
import { propose, shown } from "./evaluation.ts";
import {
  contact,
  control,
  current,
  evidence,
  experience,
  meet,
  move,
  personPath,
} from "./relationship.ts";

const PEOPLE = 60;
const LEVELS = ["NORMAL", "PRIVATE", "SECRET"] as const;
const KEY = "a-key-that-only-tests-know";

type Level = (typeof LEVELS)[number];

/** Evidence as the test knows it, without asking for it again. */
interface KnownEntry {
  readonly shown: Json;
  readonly level: Level;
  effective: Level;
  isLive: boolean;
}

/** A person, and what the test has done to it. */
interface Known {
  readonly owner: Person;
  readonly personId: string;
  readonly entries: KnownEntry[];
}

Deno.test("What leaves for a provider is what consent allows, byte for byte", async () => {
  await using world = await createWorld();
  await using server = serveProvider(() => new Response(completion("An evaluation")));
  const random = seededRandom(17);
  const owners = [await world.person(), await world.person()];
  const expected: string[] = [];
  const met = new Set<string>();
  const checks: (() => Promise<void>)[] = [];
  for (let count = 0; count < PEOPLE; count++) {
    const known = await makePerson(random, random.pick(owners));
    const consent = random.chance(0.6);
    const proposal = await propose(known.owner, known, consent);
    const before = await sourcesOf(known);
    if (random.chance(0.5)) await change(random, known);
    const after = await current(known.owner, known);
    const isOpen = ["ACTIVE", "PAUSED"].includes(after.status);
    const hasDrifted = await sourcesOf(known) !== before;
    const outcome = !isOpen ? "left alone" : hasDrifted ? "stale" : "asked";
    met.add(`${outcome}, ${consent ? "with" : "without"} consent`);
    if (outcome === "asked") expected.push(JSON.stringify(allowed(after, known.entries, consent)));
    checks.push(async () => {
      const { state, candidate } = await shown(known.owner, proposal);
      const states = { "left alone": leftAs(after.status), stale: "STALE", asked: "READY" };
      assertEquals(state, states[outcome]);
      assertEquals(candidate, outcome === "asked" ? "An evaluation" : null);
    });
  }
  await work(world, server);
  const sent = server.requests.map(wordsOf);
  assertEquals(sent.sort(), expected.sort());
  for (const check of checks) await check();
  assertEquals(met.size, 6, "Each outcome with and without consent");
});

function leftAs(status: string): string {
  return status === "SEALED" ? "EXPIRED" : "REQUESTED";
}

/** Lets a worker do all that waits. */
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

/** The one part of a request that differs from others; all else is as it must be. */
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
  // The instruction is the same for everybody.
  assert(
    system.role === "system" && system.content.startsWith("The user message is a JSON object"),
  );
  const exactly = { model: "sober-1", messages: [system, user], stream: false };
  assertEquals(body, JSON.stringify(exactly));
  return user.content;
}

/** What a provider may be told of a person, as the contract says. */
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

/** Live evidence; what is SECRET only where it was written so with consent. In order of identifiers. */
function taken(entries: readonly KnownEntry[]): KnownEntry[] {
  return entries
    .filter((entry) => entry.isLive && (entry.effective !== "SECRET" || isConsented(entry)))
    .sort((one, other) => one.shown.evidenceId < other.shown.evidenceId ? -1 : 1);
}

function isConsented({ shown, level, effective }: KnownEntry): boolean {
  return shown.providerConsent && (effective !== "SECRET" || level === "SECRET");
}

/** Everything that a proposal is made of, to see whether it has changed. */
async function sourcesOf(known: Known): Promise<string> {
  const { updatedAt: _updatedAt, ...person } = await current(known.owner, known);
  const entries = taken(known.entries).map(({ shown, effective }) => [shown.evidenceId, effective]);
  return JSON.stringify([person, entries]);
}

async function makePerson(random: Random, owner: Person): Promise<Known> {
  const text = () => random.text(1, 40);
  const maybe = (name: string, value: unknown) =>
    random.chance(0.5) ? { [name]: value } as JsonObject : {};
  const { personId } = await meet(owner, {
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
  // Neither of them is a source of evaluations.
  await contact(owner, known, { note: text() });
  await experience(owner, known, { narrative: text() });
  const count = random.integer(0, 5);
  for (let index = 0; index < count; index++) await addEntry(random, known);
  for (let step = random.integer(0, 3); step > 0; step--) await controlEntry(random, known);
  return known;
}

async function addEntry(random: Random, known: Known): Promise<void> {
  const level = random.pick(LEVELS);
  const shown = await evidence(known.owner, known, {
    stance: random.pick(["SUPPORTING", "COUNTER"]),
    content: random.text(1, 60),
    sourceKind: random.pick(["OBSERVATION", "MESSAGE", "OTHER"]),
    privacy: level,
    providerConsent: random.chance(0.6),
  });
  known.entries.push({ shown, level, effective: level, isLive: true });
}

/** Ends an entry, or raises its level; nothing where there is none to control. */
async function controlEntry(random: Random, { owner, entries }: Known): Promise<void> {
  const live = entries.filter(({ isLive }) => isLive);
  const [entry] = live.splice(random.integer(0, live.length - 1), 1);
  if (entry === undefined) return;
  const send = async (body: JsonObject) => {
    const { status, text } = await control(owner, entry.shown, body);
    assertEquals(status, 200, text);
  };
  const choice = random.integer(0, 3);
  if (choice === 0) {
    await send({ kind: "RETRACTED" });
    entry.isLive = false;
  } else if (choice === 1 && live.length > 0) {
    const supersededBy = random.pick(live).shown.evidenceId;
    await send({ kind: "SUPERSEDED", supersededBy });
    entry.isLive = false;
  } else {
    const privacy = random.pick(LEVELS.slice(LEVELS.indexOf(entry.effective)));
    await send({ kind: "PRIVACY_RECLASSIFIED", privacy });
    entry.effective = privacy;
  }
}

/** What may happen between the request of a proposal and the worker. */
async function change(random: Random, known: Known): Promise<void> {
  const { owner } = known;
  switch (random.integer(0, 6)) {
    case 0:
      return await addEntry(random, known);
    case 1:
    case 2:
      return await controlEntry(random, known);
    case 3:
      return void await experience(owner, known, { narrative: random.text(1, 20) });
    case 4: {
      const { revision: expectedRevision } = await current(owner, known);
      const body = { expectedRevision, set: { opinion: random.text(1, 20) } };
      const { status, text } = await owner.call("PATCH", personPath(known), {
        key: random.ulid(),
        body,
      });
      return assertEquals(status, 200, text);
    }
    case 5:
      return void await move(owner, known, random.pick(["PAUSED", "archive"]));
    default:
      return void await move(owner, known, "SEALED");
  }
}

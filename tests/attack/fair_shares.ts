/**
 * One account drives a resource to its limit while another signs in, reads and writes.
 *
 * The service is a process; the aggressor has its own thread. The other account may wait two
 * seconds on an idle machine. On a busy one the limit grows with the duration of a password hash
 * outside the service.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { cpuUsage } from "node:process";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import type { Database } from "../../src/database/database.ts";
import { importFile } from "../http/account.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, signUp, type TestResponse } from "../support/world.ts";
import type { Order, Orders, Tally } from "./aggressor_worker.ts";

export const PASSWORD = "a password that only tests know";
/** Maximum 99th percentile of the other account's waits, in milliseconds. */
const MAX_WAIT = 2_000;
/** The time before measuring. */
const LEAD_MS = 300;
/** More than an account may have running and waiting. */
const PROOFS = 12;

/** IMPORTER is an owner without data. */
export interface Cast {
  readonly OWNER: Caller;
  readonly VIEWER: Caller;
  readonly IMPORTER: Caller;
  /** Must not notice the aggressors. */
  readonly other: Caller;
}

export type Role = "OWNER" | "VIEWER" | "IMPORTER";

export interface Attack {
  readonly resource: string;
  readonly roles: readonly Role[];
  /** Concurrent copies of each request. */
  readonly lanes: number;
  readonly orders: (
    stage: Stage,
    aggressor: Caller,
  ) => Promise<readonly Order[]> | readonly Order[];
  /** A status that proves that the limit was reached. */
  readonly limit?: number;
}

export interface Stage extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly cast: Cast;
  /** OWNER's, one per export. */
  readonly proofs: string[];
}

/** Data of the aggressors. */
export interface Belongings {
  /** Number per kind. */
  readonly records: number;
  /** Records of maximum size. */
  readonly largeRecords: number;
  /** Dates of one person; more than the API accepts, since a person may have 200 details. */
  readonly dates?: number;
}

/** OWNER and VIEWER have data. */
export async function openStage(
  belongings: Belongings,
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const installation = opened.use(await createInstallation());
  const settings = { ...installation.env, ...env };
  const people = await makePeople(installation);
  if (belongings.records > 0) await giveLives(settings, people, belongings);
  const proofs = await installation.withDatabase(async (database) => {
    if (belongings.dates !== undefined) await giveDates(database, people, belongings.dates);
    return await prepare(database, people);
  });
  const server = opened.use(await startServer(settings));
  const [other, owner, viewer, importer] = people.map((person) => callerOf(server.app, person));
  if (!other || !owner || !viewer || !importer) throw new RangeError("Somebody is missing");
  const kept = opened.move();
  return {
    server,
    cast: { other, OWNER: owner, VIEWER: viewer, IMPORTER: importer },
    proofs,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Fills both accounts, and seals the entries. */
async function giveLives(
  settings: Readonly<Record<string, string>>,
  people: readonly Caller[],
  { records, largeRecords }: Belongings,
): Promise<void> {
  const life = await wholeAccount(20_261_123, { records, attachments: 1, attachmentBytes: 1_000 });
  await using server = await startServer(settings);
  for (const person of people.slice(1, 3).map((each) => callerOf(server.app, each))) {
    const imported = await importFile(person, life.slice());
    assertEquals(imported.status, 200, imported.text);
    const content = "every word of it ".repeat(5_800);
    for (let made = 0; made < largeRecords; made++) {
      await person.create("commitment", { ...COMMITMENT, content });
    }
  }
  server.kill("SIGTERM");
  await server.ended;
}

/** Adds dates to one person each of OWNER and VIEWER. */
async function giveDates(
  database: Database,
  people: readonly Caller[],
  dates: number,
): Promise<void> {
  const run = (script: string) => database.transaction((tx) => tx.script(script));
  await run("alter table person_details disable trigger user");
  for (const { accountId } of people.slice(1, 3)) {
    const value = `'{"date":"' || to_char(date '2027-01-01' + i % 365, '"--"MM-DD') ||
      '","what":"BIRTHDAY"}'`;
    await run(`
      insert into person_details (owner_id, detail_id, person_id, person_revision, kind, value,
                                  preferred, privacy, content_hash, recorded_at)
      select p.owner_id, '01KD' || lpad(i::text, 22, '0'), p.person_id, 1, 'DATE', (${value})::json,
             false, 'NORMAL', encode(sha256(convert_to(${value}, 'UTF8')), 'hex'), now()
        from (select owner_id, person_id from people
               where owner_id = '${accountId}' and status = 'ACTIVE' limit 1) p,
             generate_series(1, ${dates}) i`);
  }
}

/** Sets VIEWER's role; returns OWNER's proofs. */
async function prepare(database: Database, people: readonly Caller[]): Promise<string[]> {
  const [, owner, viewer] = people;
  if (!owner || !viewer) throw new RangeError("Somebody is missing");
  const role = `update accounts set role = 'VIEWER' where account_id = '${viewer.accountId}'`;
  await database.transaction((tx) => tx.script(role));
  const proofs: string[] = [];
  while (proofs.length < PROOFS) {
    const world = { database, now: () => new Date() };
    const { "Step-Up-Proof": proof = "" } = await proofOf(world, owner, "ACCOUNT_EXPORT");
    proofs.push(proof);
  }
  return proofs;
}

/** Makes accounts with one password and no data, in the order of `openStage`. */
async function makePeople(installation: Installation): Promise<readonly Caller[]> {
  const before = cpuUsage();
  const hash = await new PasswordHasher().hash(PASSWORD, "known");
  const { user, system } = cpuUsage(before);
  idleHash = (user + system) / 1000;
  return await installation.withDatabase(async (database) => {
    const fetch = () => Promise.reject(new Error("Nothing is served yet"));
    const people: Caller[] = [];
    while (people.length < 4) people.push(await signUp({ fetch }, database, new Date()));
    await database.transaction((tx) => tx.script(`update accounts set password_hash = '${hash}'`));
    return people;
  });
}

/** Milliseconds of the other account's requests by kind. */
export interface Waits {
  readonly signIn: number[];
  readonly read: number[];
  readonly write: number[];
}

export interface Outcome {
  readonly tally: Tally;
  readonly waits: Waits;
  /** Factor by which other work slowed down. */
  readonly slowdown: number;
}

/** Measures the other account's waits during an attack. */
export async function measure(
  stage: Stage,
  attack: Attack,
  role: Role,
  milliseconds: number,
): Promise<Outcome> {
  const { other, [role]: aggressor } = stage.cast;
  const origin = `http://127.0.0.1:${stage.server.port}`;
  const orders = await attack.orders(stage, aggressor);
  const worker = new Worker(new URL("./aggressor_worker.ts", import.meta.url), { type: "module" });
  try {
    worker.postMessage({ origin, lanes: attack.lanes, orders } satisfies Orders);
    // Until all lanes are busy.
    await pause(LEAD_MS);
    const [waits, slowdown] = await Promise.all([
      live(other, milliseconds),
      measureSlowdown(milliseconds),
    ]);
    const tally = await new Promise<Tally>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage("stop");
    });
    return { tally, waits, slowdown };
  } finally {
    worker.terminate();
    // Waits for the service to finish the aggressor's work, before the next attack.
    await aggressor.call("GET", `${COMMITMENTS}?limit=1`);
  }
}

/** Processor time of one hash, equal to its duration on an idle machine. */
let idleHash = Infinity;

/** Measures milliseconds. */
async function timeHash(): Promise<number> {
  const begun = performance.now();
  await new PasswordHasher().hash(PASSWORD, "known");
  return performance.now() - begun;
}

/** Repeats hashes, compared with an idle machine. */
async function measureSlowdown(milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let [total, times] = [0, 0];
  do {
    total += await timeHash();
    times++;
  } while (performance.now() < end);
  return total / times / idleHash;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Signs in, reads and writes repeatedly. */
async function live(other: Caller, milliseconds: number): Promise<Waits> {
  const waits: Waits = { signIn: [], read: [], write: [] };
  const end = performance.now() + milliseconds;
  const repeat = async (...steps: (() => Promise<void>)[]) => {
    do {
      for (const step of steps) await step();
    } while (performance.now() < end);
  };
  const body = { email: emailOf(other), password: PASSWORD, transport: "bearer" };
  const created = { title: "A promise", payload: COMMITMENT };
  await Promise.all([
    repeat(() => timed(waits.signIn, 200, () => other.call("POST", LOGIN, { body }))),
    repeat(
      () => timed(waits.read, 200, () => other.call("GET", COMMITMENTS)),
      () =>
        timed(
          waits.write,
          201,
          () => other.call("POST", COMMITMENTS, { key: ulid(), body: created }),
        ),
    ),
  ]);
  return waits;
}

const LOGIN = "/api/v2/auth/login";

function emailOf({ accountId }: Caller): string {
  return `${accountId}@example.org`;
}

async function timed(
  waits: number[],
  expected: number,
  send: () => Promise<TestResponse>,
): Promise<void> {
  const begun = performance.now();
  const { status, text } = await send();
  waits.push(performance.now() - begun);
  assertEquals(status, expected, text);
}

export function percentile99(waits: readonly number[]): number {
  return [...waits].sort((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1] ?? 0;
}

/** The other account was served, and the attack reached its limit. */
export function assertFair({ limit }: Attack, { tally, waits, slowdown }: Outcome): void {
  const longest = Math.round(MAX_WAIT * Math.max(1, slowdown));
  for (const [kind, taken] of Object.entries(waits)) {
    const waited = Math.round(percentile99(taken));
    assert(waited <= longest, `${kind} took ${waited} ms of ${longest} ms`);
  }
  if (limit !== undefined) assert((tally[limit] ?? 0) > 0, JSON.stringify(tally));
}

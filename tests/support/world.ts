/**
 * A test's world: a fresh database of the suite's engine, the whole application over it, a clock that only
 * moves on request, and every log line.
 */

import { ulid } from "@std/ulid";
import { emailKey } from "../../src/accounts/account_store.ts";
import { loadRoleMatrix } from "../../src/access/authorization.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { storedStepUp } from "../../src/access/step_up.ts";
import { type App, type AppServices, createApp } from "../../src/app.ts";
import { type ObjectStore, openObjectStore } from "../../src/attachments/object_store.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { sha256 } from "../../src/core/digest.ts";
import { newId } from "../../src/core/ids.ts";
import type { JsonValue } from "../../src/core/json.ts";
import { createLog } from "../../src/core/log.ts";
import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { SimulationQueue } from "../../src/families/decision/simulation_queue.ts";
import { SpoolFolder } from "../../src/portability/spool.ts";
import { asDocumented } from "./documented.ts";
import { copyTemplate, createServerDatabase } from "./template.ts";

/** The engine that this suite runs on. */
export const ENGINE: "embedded" | "postgres" = Deno.env.get("TEST_ENGINE") === "postgres"
  ? "postgres"
  : "embedded";

/** The cost of hashing a test's password, if the cost itself is not under test. */
export const CHEAP_COST = { N: 2 ** 10, r: 8, p: 1 };

/** The public origin of the application. */
export const ORIGIN = "https://records.example";

/** A signed-in account and its way to call the application. */
export interface Caller {
  readonly accountId: string;
  readonly sessionId: string;
  readonly secret: string;
  /** Calls a path as this caller; a body is sent as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Creates a record and returns its data; fails the test when it is refused. */
  create(module: string, payload: JsonValue, title?: string): Promise<JsonRecord>;
}

/** The options of a call. */
export interface CallOptions {
  readonly body?: JsonValue;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `body`. */
  readonly raw?: BodyInit;
  /** The address that the connection comes from; without one there is no connection. */
  readonly peer?: string;
}

/** Parsed JSON whose shape the test knows. */
// deno-lint-ignore no-explicit-any -- an assertion is the test's type check
export type Json = any;

/** A record as the API shows it. */
export type JsonRecord = Json;

/** An answer with its body read. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The whole JSON body; null without one. */
  readonly body: Json;
  readonly text: string;
}

/** A test's world. */
export interface World extends AsyncDisposable {
  readonly app: App;
  readonly database: Database;
  readonly objects: ObjectStore;
  /** The object store's folder. */
  readonly objectFolder: string;
  readonly spool: SpoolFolder;
  /** The folder of the spool. */
  readonly spoolFolder: string;
  /** Every log line so far, parsed. */
  readonly log: Json[];
  /** Moves the clock. */
  advance(milliseconds: number): void;
  now(): Date;
  /** Calls without a credential. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Makes an account with an open session, without the cost of a password. */
  createCaller(role?: string): Promise<Caller>;
  /** Runs a script past the application, as a table owner with a console would. */
  raw(script: string): Promise<void>;
  /** Reads rows past the application. */
  rows(query: string): Promise<Json[]>;
  /** Another application over the same database, as a second process would be. */
  again(services?: Partial<AppServices>): App;
}

/** Opens a world. `await using world = await createWorld();` closes it. */
export async function createWorld(services: Partial<AppServices> = {}): Promise<World> {
  const folder = await Deno.makeTempDir({ prefix: "prs-world-" });
  const opened = await openDatabase(folder);
  const objectFolder = `${folder}/objects`;
  const objects = await openObjectStore(objectFolder);
  const roles = await loadRoleMatrix(opened.database);
  const log: Json[] = [];
  let time = Date.parse("2026-11-20T12:00:00.000Z");
  const clock = () => new Date(time);
  const spoolFolder = `${folder}/spool`;
  const spool = await SpoolFolder.open(spoolFolder, clock);
  const build = (extra: Partial<AppServices>) =>
    asDocumented(createApp({
      database: opened.database,
      objects,
      spool,
      catalog: CATALOG,
      executors: {},
      serverSecret: new TextEncoder().encode("a server secret that only tests know"),
      publicOrigin: ORIGIN,
      trustedProxies: 0,
      roles,
      passwords: new PasswordHasher({ cost: CHEAP_COST }),
      simulations: new SimulationQueue(),
      evaluation: null,
      stepUp: storedStepUp,
      // Off, so that a test may send any number of requests.
      limits: { perCredential: 0, perAddress: 0, inFlight: 10_000 },
      accountStorageBytes: 10 * 1024 ** 3,
      readDiskSpace: () => ({ free: 10 * 1024 ** 3, total: 20 * 1024 ** 3 }),
      sessions: { idleDays: 14, absoluteDays: 30 },
      console: true,
      metricsToken: null,
      scheduledBackups: null,
      corsOrigins: [],
      allowedHosts: [],
      clock,
      log: createLog("debug", (line) => log.push(JSON.parse(line))),
      ...services,
      ...extra,
    }));
  const app = build({});
  return {
    app,
    database: opened.database,
    objects,
    objectFolder,
    spool,
    spoolFolder,
    log,
    now: clock,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    call: (method, path, options) => callApp(app, method, path, options),
    createCaller: (role) => signUp(app, opened.database, clock(), role),
    raw: (script) => opened.database.transaction((tx) => tx.script(script)),
    // A plain array, without the driver's metadata.
    rows: async (query) => [...await opened.rows(query)],
    again: (extra = {}) => build(extra),
    async [Symbol.asyncDispose]() {
      await spool.close();
      await objects.close();
      await opened.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/**
 * One world for all tests of a process that need no services of their own: opened before the first test,
 * closed after the last. Each test creates its own callers in it, and so stays independent. A test that
 * changes what callers share (schema, maintenance window, clock by more than minutes) or uses up a shared
 * resource opens its own world.
 *
 * @param services With any, the world belongs to the file alone.
 */
export function sharedWorld(services?: Partial<AppServices>): () => World {
  return services === undefined ? common ??= fileWorld() : fileWorld(services);
}

let common: (() => World) | undefined;

/** One world for all tests of a file, and for no other file's. */
export function fileWorld(services: Partial<AppServices> = {}): () => World {
  let world: World | undefined;
  Deno.test.beforeAll(async () => {
    world = await createWorld(services);
  });
  Deno.test.afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });
  return () => {
    if (world === undefined) throw new Error("The world is open only while its tests run");
    return world;
  };
}

interface OpenedDatabase {
  readonly database: Database;
  rows(query: string): Promise<Json[]>;
  close(): Promise<void>;
}

async function openDatabase(folder: string): Promise<OpenedDatabase> {
  if (ENGINE === "postgres") return await openCopyOnServer();
  copyTemplate(`${folder}/data`);
  const database = await openEmbedded(`${folder}/data`);
  return {
    database,
    rows: (query) => database.read(async (sql) => await sql(asTemplate(query))),
    close: () => database.close(),
  };
}

async function openCopyOnServer(): Promise<OpenedDatabase> {
  const copy = await createServerDatabase();
  const database = openPostgres(copy.url, 8);
  return {
    database,
    rows: (query) => database.read(async (sql) => await sql(asTemplate(query))),
    async close() {
      await database.close();
      await copy.drop();
    },
  };
}

/** A query without parameters, in the form of the database operations. */
export function asTemplate(query: string): TemplateStringsArray {
  return Object.assign([query], { raw: [query] });
}

/** Creates an account with an open session past the application; `role` is OWNER by default. */
export async function signUp(
  app: Pick<App, "fetch">,
  database: Database,
  now: Date,
  role = "OWNER",
): Promise<Caller> {
  const accountId = newId(now);
  const email = `${accountId}@example.org`;
  const sessionId = newId(now);
  const secret = `prs_s_${sessionId}${ulid().slice(0, 17)}`;
  await database.transaction(async (tx) => {
    await tx.sql`
      insert into accounts (account_id, email, email_key, display_name, password_hash, role, created_at)
      values (${accountId}, ${email}, ${emailKey(email)}, 'Person',
              'none', ${role}, ${now})`;
    await tx.sql`
      insert into sessions (account_id, session_id, secret_digest, transport, created_at,
                            last_seen_at, expires_at)
      values (${accountId}, ${sessionId}, ${sha256(secret)}, 'bearer', ${now}, ${now},
              ${new Date(now.getTime() + 30 * 86_400_000)})`;
  });
  return callerOf(app, { accountId, sessionId, secret });
}

/** The caller of a session at another application over the same database. */
export function callerOf(
  app: Pick<App, "fetch">,
  identity: { readonly accountId: string; readonly sessionId: string; readonly secret: string },
): Caller {
  const authorization = { Authorization: `Bearer ${identity.secret}` };
  const call: Caller["call"] = (method, path, options = {}) =>
    callApp(app, method, path, { ...options, headers: { ...authorization, ...options.headers } });
  return {
    ...identity,
    call,
    async create(module, payload, title = "A title") {
      const path = `/api/v2/records/${module}`;
      const answer = await call("POST", path, { key: ulid(), body: { title, payload } });
      if (answer.status !== 201) throw new Error(`Creation was refused: ${answer.text}`);
      return answer.body.data;
    },
  };
}

/** Calls an application without a credential and reads the answer. */
export async function callApp(
  app: Pick<App, "fetch">,
  method: string,
  path: string,
  { body, key, headers = {}, raw, peer }: CallOptions = {},
): Promise<TestResponse> {
  const sent = new Headers(headers);
  if (key !== undefined) sent.set("Idempotency-Key", key);
  if (body !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
  const content = raw ?? (body === undefined ? null : JSON.stringify(body));
  const request = new Request(`${ORIGIN}${path}`, { method, headers: sent, body: content });
  const response = await app.fetch(request, peer);
  const text = await response.text();
  const isJson = /^application\/json(;|$)/.test(response.headers.get("Content-Type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== "" ? JSON.parse(text) : null,
    text,
  };
}

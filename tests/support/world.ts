/**
 * A test's world: a fresh database of the suite's engine, the whole application, a manual clock,
 * and every log line.
 */

import { ulid } from "@std/ulid";
import { emailKey } from "../../src/accounts/account_store.ts";
import { loadRoleMatrix } from "../../src/access/authorization.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { storedStepUp } from "../../src/access/step_up.ts";
import { type App, type AppServices, createApp } from "../../src/app.ts";
import {
  type ObjectStore,
  openObjectStore,
  type PlaceName,
} from "../../src/attachments/object_store.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/digest.ts";
import { newId } from "../../src/core/ids.ts";
import type { JsonValue } from "../../src/core/json.ts";
import { createLog } from "../../src/core/log.ts";
import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { systemTimer, type Timer } from "../../src/core/timer.ts";
import { ImportFolder } from "../../src/imports/folder.ts";
import { MAX_ITEMS } from "../../src/imports/prepare.ts";
import { SimulationQueue } from "../../src/families/decision/simulation_queue.ts";
import { SpoolFolder } from "../../src/portability/spool.ts";
import { asDocumented } from "./documented.ts";
import { addFileWorld, type FileWorld } from "./file_worlds.ts";
import { copyTemplate, createServerDatabase } from "./template.ts";

/** The engine of this suite. */
export const ENGINE: "embedded" | "postgres" = Deno.env.get("TEST_ENGINE") === "postgres"
  ? "postgres"
  : "embedded";

/** The cost of passwords, unless it is under test. */
export const CHEAP_COST = { N: 2 ** 10, r: 8, p: 1 };

export const ORIGIN = "https://records.example";

export interface Caller {
  readonly accountId: string;
  readonly sessionId: string;
  readonly secret: string;
  /** A body is sent as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Must succeed; returns the data. */
  create(module: string, payload: JsonValue, title?: string): Promise<JsonRecord>;
}

export interface CallOptions {
  readonly body?: JsonValue;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: BodyInit;
  /** The client's address; without one there is no connection. */
  readonly peer?: string;
}

/** Parsed JSON of a known shape. */
// deno-lint-ignore no-explicit-any -- an assertion is the test's type check
export type Json = any;

/** As the API shows it. */
export type JsonRecord = Json;

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Null without a body. */
  readonly body: Json;
  readonly text: string;
}

export interface World extends AsyncDisposable {
  readonly app: App;
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly objectFolder: string;
  readonly spool: SpoolFolder;
  readonly spoolFolder: string;
  readonly importFolder: ImportFolder;
  readonly log: Json[];
  /** Moves the clock. */
  advance(milliseconds: number): void;
  now(): Date;
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** With an open session, without the cost of a password. */
  createCaller(role?: string): Promise<Caller>;
  /** As the tables' owner, not through the application. */
  raw(script: string): Promise<void>;
  /** Reads rows as the tables' owner. */
  rows(query: string): Promise<Json[]>;
  /** A second application over the database, as of another process. */
  again(services?: Partial<AppServices>): App;
}

/**
 * `await using world = await createWorld();` closes it.
 *
 * @param attachments The place of attachments' bytes.
 */
export async function createWorld(
  services: Partial<AppServices> = {},
  attachments: PlaceName = "files",
): Promise<World> {
  const folder = await Deno.makeTempDir({ prefix: "prs-world-" });
  const opened = await openDatabase(folder);
  const objectFolder = `${folder}/objects`;
  const objects = await openObjectStore(objectFolder, opened.database, attachments);
  const roles = await loadRoleMatrix(opened.database);
  const log: Json[] = [];
  let time = Date.parse("2026-11-20T12:00:00.000Z");
  const clock = () => new Date(time);
  const spoolFolder = `${folder}/spool`;
  const spool = await SpoolFolder.open(spoolFolder, clock);
  const timers = new Set<() => void>();
  let isClosed = false;
  const timer: Timer = (milliseconds, call) => {
    if (isClosed) return () => {};
    const cancel = systemTimer(milliseconds, () => {
      timers.delete(cancel);
      call();
    });
    timers.add(cancel);
    return cancel;
  };
  const importFolder = await ImportFolder.open(`${folder}/imports`);
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
      imports: {
        folder: importFolder,
        maximumBytes: 64 * 1024 ** 2,
        maximumItems: MAX_ITEMS,
        timer,
      },
      evaluation: null,
      stepUp: storedStepUp,
      // Off by default.
      limits: { perCredential: 0, perAddress: 0, inFlight: 10_000 },
      accountStorageBytes: 10 * 1024 ** 3,
      accountSpoolBytes: 2 * 1024 ** 3,
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
    importFolder,
    log,
    now: clock,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    call: (method, path, options) => callApp(app, method, path, options),
    createCaller: (role) => signUp(app, opened.database, clock(), role),
    raw: (script) => opened.database.transaction((tx) => tx.script(script)),
    // Without the driver's metadata.
    rows: async (query) => [...await opened.rows(query)],
    again: (extra = {}) => build(extra),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const cancel of timers) cancel();
      await spool.close();
      await objects.close();
      await opened.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The world as another process with other services has it; closed with the world. */
export function anotherProcess(world: World, services: Partial<AppServices>): World {
  const app = world.again(services);
  return {
    ...world,
    app,
    call: (method, path, options) => callApp(app, method, path, options),
    createCaller: (role) => signUp(app, world.database, world.now(), role),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * One world for all tests of a process that need no services of their own. Each test creates its
 * own callers. A test that changes shared state (schema, maintenance window, clock by more than
 * minutes) or uses up a shared resource opens its own world.
 *
 * @param services With any, the world belongs to the file alone.
 */
export function sharedWorld(services?: Partial<AppServices>): () => World {
  return services === undefined ? common ??= processWorld() : fileWorld(services);
}

let common: (() => World) | undefined;

/** A world that several files of a process share, or that is used before its file's first test. */
export function processWorld(): () => World {
  const { world, open, close } = openable({});
  Deno.test.beforeAll(open);
  Deno.test.afterAll(close);
  return world;
}

/**
 * One world for all tests of a file.
 *
 * @param prepare Called before the first test.
 * @param attachments As in `createWorld`.
 */
export function fileWorld(
  services: Partial<AppServices> = {},
  prepare?: (world: World) => Promise<unknown>,
  attachments?: PlaceName,
): () => World {
  const { world, ...opened } = openable(services, prepare, attachments);
  addFileWorld(opened);
  return world;
}

function openable(
  services: Partial<AppServices>,
  prepare?: (world: World) => Promise<unknown>,
  attachments?: PlaceName,
): FileWorld & { world(): World } {
  let world: World | undefined;
  return {
    async open() {
      world = await createWorld(services, attachments);
      await prepare?.(world);
    },
    async close() {
      await world?.[Symbol.asyncDispose]();
      world = undefined;
    },
    world() {
      if (world === undefined) throw new Error("The world is open only while its tests run");
      return world;
    },
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

export function asTemplate(query: string): TemplateStringsArray {
  return Object.assign([query], { raw: [query] });
}

/** Opens a session in the tables; `role` defaults to OWNER. */
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
              ${new Date(now.getTime() + 30 * DAY_MS)})`;
  });
  return callerOf(app, { accountId, sessionId, secret });
}

/** The session's caller at another application over the database. */
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

/** Calls without a credential. */
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
  return await readResponse(await app.fetch(request, peer));
}

export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  const isJson = /^application\/json(;|$)/.test(response.headers.get("Content-Type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== "" ? JSON.parse(text) : null,
    text,
  };
}

/** Erasures in the test's own process, and installations to erase from. */

import { IncompleteError } from "../../src/errors/operator_error.ts";
import { Buffer } from "node:buffer";
import { readSpan, readWaitingTrails } from "../../src/audit/seal_store.ts";
import { sealTrails } from "../../src/audit/sealing.ts";
import { TRAIL_KINDS } from "../../src/audit/trail.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Sql } from "../../src/database/sql.ts";
import type { AdminCommand } from "../../src/operator/admin/command.ts";
import { type Config, readConfig } from "../../src/operator/config/config.ts";
import { openPresentDatabase } from "../../src/operator/open_database.ts";
import { restoreFiltered } from "../../src/operator/erasure/filtered_restore.ts";
import type { ReportLost } from "../../src/operator/erasure/copy.ts";
import { runErasure } from "../../src/operator/erasure/run.ts";
import { verifyErasuresOfBackup } from "../../src/operator/erasure/verify.ts";
import { createInstallation, type Installation } from "./installation.ts";
import { operate as operateOn, type OwnService, startOwn } from "./own_service.ts";
import { OWNER } from "./owner.ts";
import { createServerDatabase } from "./template.ts";
import { waitUntil } from "./wait.ts";
import { callApp, type Caller, callerOf, ENGINE, type Json } from "./world.ts";

type Env = Readonly<Record<string, string>>;

/** A word of the erased content. */
export const CANARY = "xylocanarium";

export function holdsCanary(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(CANARY);
}

/** The bytes of a backup, unpacked. */
export async function unpacked(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  return await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).bytes();
}

/** An installation, and the empty place of the next one. */
export interface ErasableInstallation extends AsyncDisposable {
  readonly old: Installation;
  /** The settings of a run. */
  readonly env: Env;
  readonly folder: string;
  /** The settings of a service on the new installation. */
  readonly fresh: Env;
}

export async function createErasable(): Promise<ErasableInstallation> {
  await using opened = new AsyncDisposableStack();
  const old = opened.use(await createInstallation());
  const parent = await Deno.makeTempDir({ prefix: "prs-erasure-" });
  opened.defer(() => Deno.remove(parent, { recursive: true }));
  const folder = `${parent}/new`;
  let [env, fresh]: [Env, Env] = [old.env, { ...old.env, DATA_DIR: folder }];
  if (ENGINE === "postgres") {
    const { url, drop } = await createServerDatabase();
    opened.defer(drop);
    env = { ...old.env, ERASE_DATABASE_URL: url };
    fresh = { ...fresh, DATABASE_URL: url };
  }
  const moved = opened.move();
  return { old, env, folder, fresh, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

export function configFrom(env: Env): Config {
  const values: Env = {
    LOG_LEVEL: "silent",
    RATE_LIMIT_PER_CREDENTIAL: "0",
    RATE_LIMIT_PER_ADDRESS: "0",
    ...env,
  };
  return readConfig({
    get: (name) => values[name],
    readFile: (path) => Deno.readTextFileSync(path),
  });
}

/** Runs an operator's command while no service runs, and returns its lines. */
export async function operate(env: Env, command: AdminCommand): Promise<string[]> {
  return await operateOn(configFrom(env), command);
}

/** Plans to erase subjects such as `record:01K…`. */
export async function plan(env: Env, email: string, ...subjects: string[]): Promise<Json> {
  const asked = { command: "erase plan", email, subjects: subjects.join() } as const;
  return JSON.parse((await operate(env, asked))[0] ?? "");
}

export async function run(
  env: Env,
  digest: string,
  folder: string,
  reportLost?: ReportLost,
): Promise<Json> {
  return await runErasure(configFrom(env), { digest, folder, reason: "LAW" }, () => {}, reportLost);
}

export async function verify(env: Env): Promise<Json> {
  return JSON.parse((await operate(env, { command: "erase verify" }))[0] ?? "");
}

export async function verifyBackup(env: Env, path: string): Promise<Json> {
  return await verifyErasuresOfBackup(configFrom(env).dataDir, { path, identity: null });
}

/**
 * Seals every entry of an installation. A service that ends leaves the entries that a transaction
 * of another database on the server holds back.
 */
export async function sealEverything(env: Env): Promise<void> {
  const database = await openPresentDatabase(configFrom(env));
  try {
    await waitUntil("everything is sealed", async () => {
      await sealTrails(database, systemClock);
      return await database.snapshot(isAllSealed);
    });
  } finally {
    await database.close();
  }
}

async function isAllSealed(sql: Sql): Promise<boolean> {
  const { below } = await readSpan(sql);
  for (const kind of TRAIL_KINDS) {
    const waiting = await readWaitingTrails(sql, kind, { below, until: LAST_TRANSACTION });
    if (waiting.length > 0) return false;
  }
  return true;
}

const LAST_TRANSACTION = String(2n ** 63n - 1n);

/** Writes a backup, and returns its path, also if attachments are lost. */
export async function backUp(env: Env): Promise<string> {
  const lines = await operate(env, { command: "backup" }).catch((error) => {
    if (error instanceof IncompleteError) return error.lines;
    throw error;
  });
  return lines[0] ?? "";
}

export async function restore(env: Env, path: string, acceptLost = false): Promise<void> {
  await restoreFiltered(configFrom(env), { path, identity: null, acceptLost }, () => {});
}

/** Signs in as an account of the tests. */
export async function signIn({ app }: OwnService, email = OWNER.email): Promise<Caller> {
  const { password } = OWNER;
  const { body } = await callApp(app, "POST", "/api/v2/auth/login", {
    body: { email, password, transport: "bearer" },
  });
  const { account, session, accessToken }: Json = body.data;
  return callerOf(app, { ...account, ...session, secret: accessToken });
}

/** Starts a service, uses it, and stops it. */
export async function withService<T>(
  env: Env,
  use: (service: OwnService) => Promise<T>,
): Promise<T> {
  await using service = await startOwn(configFrom(env));
  return await use(service);
}

/** Creates a calendar feed of people and days, and returns the path of its address. */
export async function makeFeed(caller: Caller, name: string): Promise<string> {
  const step = await caller.call("POST", "/api/v2/auth/step-up", {
    body: { password: OWNER.password, purpose: "TOKEN_CREATE" },
  });
  const made = await caller.call("POST", "/api/v2/calendar/feeds", {
    body: { name, kinds: ["CONTACT", "DATE"], detail: "TITLES", timeZone: "UTC" },
    headers: { "Step-Up-Proof": step.body.data.proof },
  });
  return new URL(made.body.data.address).pathname;
}

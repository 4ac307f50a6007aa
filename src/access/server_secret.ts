/**
 * The server secret is in the settings or, for the built-in engine only, in a file in `DATA_DIR`.
 * The database holds a check value of the first secret and rejects any other.
 */

import { toBase64url } from "../core/base64url.ts";
import { constantTimeEqual, hmacSha256 } from "../core/digest.ts";
import { ignoreNotFound, moveSynced, syncPath, writeSynced } from "../core/files.ts";
import type { Database, Tx } from "../database/database.ts";
import { schemaVersion } from "../database/migrate.ts";
import type { Sql } from "../database/sql.ts";

/** The secret that this database was first used with is missing, or differs. */
export class ServerSecretError extends Error {
  override readonly name = "ServerSecretError";
}

interface SecretSettings {
  readonly dataDir: string;
  /** Null if the secret is in a file of `dataDir`. */
  readonly serverSecret: { reveal(): string } | null;
}

/**
 * Reads the secret, or creates one if the database has no check value yet. Completes a move to the
 * final name that a power loss interrupted.
 *
 * @throws ServerSecretError if the database was first used with another one.
 */
export async function readServerSecret(
  { serverSecret, dataDir }: SecretSettings,
  database: Database,
): Promise<string> {
  const checkValue = await database.read(readCheckValue);
  if (serverSecret === null) {
    return checkValue === null
      ? await readOrMakeSecret(dataDir)
      : await findSecret(dataDir, checkValue);
  }
  const secret = serverSecret.reveal();
  if (checkValue !== null && !fits(secret, checkValue)) throw wrongSetting();
  return secret;
}

/** A new secret survives a power loss when this returns. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const stored = await readStoredSecret(dataDir);
  if (stored !== null) return stored;
  const secret = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  await storeSecret(dataDir, secret);
  return secret;
}

export async function readStoredSecret(dataDir: string): Promise<string | null> {
  return await readSecretAt(secretPath(dataDir));
}

/** When it returns, the file survives a power loss. */
export async function storeSecret(dataDir: string, secret: string): Promise<void> {
  await writeSynced(draftPath(dataDir), new TextEncoder().encode(`${secret}\n`));
  await placeSecret(dataDir);
}

/**
 * Writes a secret under a temporary name, and its check value in the transaction. After the commit,
 * `placeSecret` or the next start moves it.
 *
 * @throws ServerSecretError if the database was first used with another one.
 */
export async function prepareSecret(tx: Tx, dataDir: string, secret: string): Promise<void> {
  await writeSynced(draftPath(dataDir), new TextEncoder().encode(`${secret}\n`));
  await syncPath(dataDir);
  const checkValue = await leaveCheckValue(tx, checkValueOf(secret));
  if (!fits(secret, checkValue)) throw missingSecret();
}

export async function placeSecret(dataDir: string): Promise<void> {
  await moveSynced(draftPath(dataDir), secretPath(dataDir));
}

/** Null if the database is unused or has no schema. */
export async function readCheckValue(sql: Sql): Promise<Uint8Array | null> {
  if (await schemaVersion(sql) === 0) return null;
  const [row] = await sql<{ check_value: Uint8Array }>`
    select check_value from server_secret_check`;
  return row?.check_value ?? null;
}

/**
 * Stores the check value at first use. With another secret, earlier keys would not be recognised as
 * replays, so the service must not start.
 *
 * @throws ServerSecretError if they do not match.
 */
export async function checkServerSecret(database: Database, secret: Uint8Array): Promise<void> {
  const value = hmacSha256(secret, CHECK_VALUE);
  const stored = await database.transaction((tx) => leaveCheckValue(tx, value));
  if (!constantTimeEqual(stored, value)) throw wrongSetting();
}

export function fits(secret: string, checkValue: Uint8Array): boolean {
  return constantTimeEqual(checkValueOf(secret), checkValue);
}

export function missingSecret(): ServerSecretError {
  return new ServerSecretError(
    "server_secret is missing: DATA_DIR does not hold the secret that this database was first used " +
      "with. Put the file back, set SERVER_SECRET_FILE to its path, or restore a backup made here " +
      "with --with-secret, which restores only the secret. If it is lost, back up without it, and " +
      "restore that backup into a new DATA_DIR",
  );
}

function wrongSetting(): ServerSecretError {
  return new ServerSecretError(
    "SERVER_SECRET differs from the one that this database was first used with: set that one, " +
      "or back up without it and restore into an empty database",
  );
}

const CHECK_VALUE = "server secret check";

function checkValueOf(secret: string): Uint8Array {
  return hmacSha256(new TextEncoder().encode(secret), CHECK_VALUE);
}

async function leaveCheckValue({ sql }: Tx, value: Uint8Array): Promise<Uint8Array> {
  await sql`insert into server_secret_check (check_value) values (${value}) on conflict do nothing`;
  return await readCheckValue(sql) ?? value;
}

async function findSecret(dataDir: string, checkValue: Uint8Array): Promise<string> {
  const stored = await readStoredSecret(dataDir);
  if (stored !== null && fits(stored, checkValue)) return stored;
  const prepared = await readSecretAt(draftPath(dataDir));
  if (prepared === null || !fits(prepared, checkValue)) throw missingSecret();
  // The process that wrote it may have been killed before the sync.
  await syncPath(draftPath(dataDir));
  await placeSecret(dataDir);
  return prepared;
}

/** Null also for an empty file. */
async function readSecretAt(path: string): Promise<string | null> {
  const text = await Deno.readTextFile(path).catch(ignoreNotFound);
  return text?.trim() || null;
}

function secretPath(dataDir: string): string {
  return `${dataDir}/server_secret`;
}

function draftPath(dataDir: string): string {
  return `${secretPath(dataDir)}.new`;
}

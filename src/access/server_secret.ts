import { Buffer } from "node:buffer";
import { constantTimeEqual, hmacSha256 } from "../core/digest.ts";
import { ignoreNotFound } from "../core/files.ts";
import type { Database } from "../database/database.ts";

/** The server secret is not the one that this database was first used with. */
export class ServerSecretError extends Error {
  override readonly name = "ServerSecretError";
}

/**
 * The embedded database's own secret: made at first start, kept beside the database, readable by its
 * user alone.
 */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const stored = await readStoredSecret(dataDir);
  if (stored !== null) return stored;
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  await storeSecret(dataDir, secret);
  return secret;
}

/** The embedded database's own secret, or null where none was made. */
export async function readStoredSecret(dataDir: string): Promise<string | null> {
  const stored = await Deno.readTextFile(secretPath(dataDir)).catch(ignoreNotFound);
  return stored?.trim() ?? null;
}

/** Makes this the embedded database's own secret. */
export async function storeSecret(dataDir: string, secret: string): Promise<void> {
  const path = secretPath(dataDir);
  // Written whole beside its place, then moved: a crash leaves no half of a secret.
  const draft = `${path}.new`;
  {
    using file = await Deno.open(draft, { write: true, create: true, truncate: true, mode: 0o600 });
    await file.write(new TextEncoder().encode(`${secret}\n`));
    await file.sync();
  }
  await Deno.rename(draft, path);
}

function secretPath(dataDir: string): string {
  return `${dataDir}/server_secret`;
}

/**
 * Compares the secret with the check value in the database, or leaves one at first use. With another
 * secret old keys would no longer be recognised as replays or reuse, so the service must not start.
 *
 * @throws ServerSecretError when they do not belong together.
 */
export async function checkServerSecret(database: Database, secret: Uint8Array): Promise<void> {
  const value = hmacSha256(secret, "server secret check");
  const stored = await database.transaction(async (tx) => {
    await tx.sql`
      insert into server_secret_check (check_value) values (${value}) on conflict do nothing`;
    const [row] = await tx.sql<{ check_value: Uint8Array }>`
      select check_value from server_secret_check`;
    return row?.check_value;
  });
  if (stored === undefined || !constantTimeEqual(stored, value)) {
    throw new ServerSecretError("SERVER_SECRET is not the one this database was first used with");
  }
}

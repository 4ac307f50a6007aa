/**
 * Moves an account to another installation: exports it to a file, and imports that file. Each runs
 * as a whole or not at all, and can be repeated.
 */

import { dirname } from "node:path";
import type { EventContext } from "../access/event_context.ts";
import type { Caller } from "../access/identity.ts";
import {
  assertMovable,
  insertExportEvent,
  insertMovedAccount,
  type MovedAccount,
  wasImported,
} from "../accounts/moving.ts";
import { emailKey, findAccount, findAccountByEmail } from "../accounts/account_store.ts";
import { CATALOG } from "../catalog/catalog.ts";
import { commandOf, type KeylessCommand } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import { ignoreNotFound, syncPath, writeAll } from "../core/files.ts";
import { newId } from "../core/ids.ts";
import type { Report } from "../core/report.ts";
import { databaseFailure } from "../database/failures.ts";
import { findsErased } from "../erasure/erased_store.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { ServiceError } from "../errors/service_error.ts";
import { readAccountFile } from "./account_file.ts";
import { checkAccount, ReceivedAttachments } from "./import_file.ts";
import { refuseImport } from "./import_rules.ts";
import { refusalOf, writeAccount } from "./import_routes.ts";
import { ACCOUNT } from "./lines/moved.ts";
import { MOVED_FILE, MOVED_LINES } from "./moved_file.ts";
import { type SpooledExport, spoolExport, type SpoolServices } from "./spool_export.ts";

interface MovedFile {
  readonly size: number;
  /** Hex of the file's SHA-256. */
  readonly sha256: string;
}

/**
 * Writes a frozen account to a new file, which gets its name when it is complete and synced.
 *
 * @param context Called at that moment.
 * @throws OperatorError if the account is unknown, not frozen, or has a second factor; if the file
 *   exists.
 */
export async function exportMovingAccount(
  services: SpoolServices,
  email: string,
  path: string,
  context: () => EventContext,
): Promise<MovedFile & Pick<SpooledExport, "lost">> {
  const { database, objects } = services;
  const account = await database.read((sql) => findAccountByEmail(sql, email));
  if (account === null) throw new OperatorError("No account has this email");
  const { account_id: owner } = account;
  const frozenAt = await database.read((sql) => assertMovable(sql, owner));
  const fileId = newId(context().now);
  return await withSpooled(services, owner, fileId, async ({ file, size, sha256, lost }) => {
    const note = () => insertExportEvent(database, email, frozenAt, context);
    await writeToNewFile({ path, part: `${path}.${fileId}.part` }, file.read(objects, owner), note);
    return { size, sha256, lost };
  });
}

async function withSpooled<T>(
  services: SpoolServices,
  owner: string,
  exportId: string,
  use: (spooled: SpooledExport) => Promise<T>,
): Promise<T> {
  try {
    const times = { exportId, expiresAt: NEVER };
    return await use(await spoolExport(services, owner, MOVED_LINES, times));
  } finally {
    await services.spool.remove(exportId);
  }
}

/** A spooled file is removed when it was read, not earlier. */
const NEVER = new Date(8.64e15);

/**
 * Writes a file that gets its name when complete.
 *
 * @param part A temporary name, unique to this file.
 * @param complete Runs when all bytes are on the disk, before the file gets its name.
 */
async function writeToNewFile(
  { path, part }: { readonly path: string; readonly part: string },
  bytes: AsyncIterable<Uint8Array>,
  complete: () => Promise<void>,
): Promise<void> {
  try {
    {
      // Other users cannot read the file.
      using file = await Deno.open(part, { createNew: true, write: true, mode: 0o600 });
      for await (const chunk of bytes) await writeAll(file, chunk);
      await file.sync();
    }
    await complete();
    // Unlike a rename, a link does not replace a file that another export created with this name.
    await Deno.link(part, path).catch((error) => {
      const isTaken = error instanceof Deno.errors.AlreadyExists;
      throw isTaken ? new OperatorError("--file: already exists") : error;
    });
  } finally {
    await Deno.remove(part).catch(ignoreNotFound);
  }
  await syncPath(dirname(path));
}

export interface MoveServices extends SpoolServices {
  readonly commands: CommandRunner;
}

/**
 * Imports an account from its file, with its writes frozen.
 *
 * @param context Read at the beginning, and when the account is added.
 * @returns a description of the file; `isNew` is false if the whole account was already here.
 * @throws OperatorError if the file is invalid or another account's, or if its email or identifier
 *   is taken, or the account was erased here; ServiceError `SYSTEM_MAINTENANCE`,
 *   `ACCOUNT_STORAGE_FULL`, `HTTP_503`.
 */
export async function importMovingAccount(
  services: MoveServices,
  email: string,
  path: string,
  context: () => EventContext,
  report: Report,
): Promise<MovedFile & { readonly isNew: boolean }> {
  const { spool } = services;
  const { now } = context();
  const importId = newId(now);
  try {
    // Works on one copy, so that no other process can change it.
    const sha256 = await spool.receive(importId, (await Deno.open(path)).readable, Infinity);
    const copy = spool.path(importId);
    const file = { size: (await Deno.stat(copy)).size, sha256 };
    const account = await readAccountLine(copy, now);
    if (emailKey(account.email) !== emailKey(email)) {
      throw new OperatorError("The file belongs to an account with another email");
    }
    if (await findsErased(services.database)(account.accountId, account.accountId) !== null) {
      throw new OperatorError("The account was erased here");
    }
    if (await isHere(services, account, file, now)) return { ...file, isNew: false };
    await insertFromFile(services, account, copy, context, report);
    return { ...file, isNew: true };
  } catch (error) {
    throw explain(error);
  } finally {
    await spool.remove(importId);
  }
}

/** Reads the account's line. The rest of the file is not checked yet. */
async function readAccountLine(path: string, now: Date): Promise<MovedAccount> {
  for await (const entry of readAccountFile(path, now, MOVED_FILE)) {
    if (entry.kind !== "row" || entry.type !== ACCOUNT) break;
    const { row } = entry;
    return {
      accountId: String(row.account_id),
      email: String(row.email),
      displayName: String(row.display_name),
      passwordHash: String(row.password_hash),
      role: row.role as string | null,
      granted: row.granted as string[],
      createdAt: String(row.created_at),
      disabledAt: row.disabled_at as string | null,
    };
  }
  return refuseImport("import.type");
}

/**
 * True if an earlier import has added the whole account. An account does not change while its
 * writes are frozen, so an export would give the same file.
 *
 * @throws OperatorError if the account exists and differs from the file.
 */
async function isHere(
  services: MoveServices,
  { accountId }: MovedAccount,
  { sha256 }: MovedFile,
  now: Date,
): Promise<boolean> {
  const { database } = services;
  const present = await database.read((sql) => findAccount(sql, accountId));
  if (present === null) return false;
  if (!await database.read((sql) => wasImported(sql, accountId))) {
    throw new OperatorError("The account is from this installation: import it into the other one");
  }
  const isSame = await withSpooled(
    services,
    accountId,
    newId(now),
    (spooled) => Promise.resolve(spooled.sha256 === sha256),
  ).catch((error) => {
    if (error instanceof OperatorError) return false;
    throw error;
  });
  if (isSame) return true;
  throw new OperatorError("The account already exists here and differs from the file");
}

/** Checks the whole file, then inserts the account and its rows in one transaction. */
async function insertFromFile(
  { commands, objects }: MoveServices,
  account: MovedAccount,
  path: string,
  context: () => EventContext,
  report: Report,
): Promise<void> {
  const begun = context();
  const { now } = begun;
  const command = moveCommand(account, begun);
  await commands.assertOpen(command);
  await using received = new ReceivedAttachments(account.accountId);
  const counts = await checkAccount(readAccountFile(path, now, MOVED_FILE), received, objects);
  if (counts[ACCOUNT.type] !== 1) refuseImport("import.type");
  report("The file was checked");
  const target = { owner: account.accountId, now };
  await commands.runMany(command, async (tx) => {
    await insertMovedAccount(tx, account, context());
    const source = { path, form: MOVED_FILE, received };
    await writeAccount({ catalog: CATALOG, commands }, tx, target, source);
  });
}

/** Writes an access event but no audit entry: those of the account must stay the same. */
function moveCommand(
  { accountId, email, displayName, role, createdAt }: MovedAccount,
  { now, requestId }: EventContext,
): KeylessCommand {
  const credential = { kind: "ADMIN", id: accountId, expiresAt: now.toISOString() } as const;
  const account = { accountId, email, displayName, role, createdAt };
  const caller: Caller = { account, credential, permissions: new Set() };
  const call = { operation: "account.import", caller, requestId, now, key: null };
  return commandOf(call, { module: null, policy: "account-import", frozen: true });
}

function explain(error: unknown): unknown {
  const constraint = databaseFailure(error)?.constraint ?? "";
  const taken = TAKEN[constraint];
  if (taken !== undefined) return new OperatorError(taken);
  const refused = error instanceof ServiceError ? error : refusalOf(error);
  if (refused === null || refused.code !== "PAYLOAD_INVALID") return error;
  const { rules } = refused.details;
  return new OperatorError(`Nothing was imported: the file breaks ${[rules].flat().join(", ")}`);
}

const TAKEN: Readonly<Record<string, string>> = {
  accounts_pkey: "The account is already here",
  account_email_unique: "An account has this email already",
};

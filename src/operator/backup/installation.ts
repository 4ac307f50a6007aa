import {
  fits,
  missingSecret,
  placeSecret,
  prepareSecret,
  readCheckValue,
  readServerSecret,
  readStoredSecret,
  storeSecret,
} from "../../access/server_secret.ts";
import { anyAccountExists } from "../../accounts/account_store.ts";
import type { AgeIdentity, Recipient } from "./age/stanza.ts";
import {
  CHUNKS_STEP,
  type ObjectStore,
  openFilesOnly,
  openObjectStore,
} from "../../attachments/object_store.ts";
import { type Verification, verifyTrails } from "../../audit/verify.ts";
import type { Config } from "../config/config.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { makeSyncedFolder } from "../../core/files.ts";
import { newId } from "../../core/ids.ts";
import type { Report } from "../../core/report.ts";
import type { Database, Tx } from "../../database/database.ts";
import { openEmbedded } from "../../database/embedded.ts";
import { IncompleteError } from "../../errors/operator_error.ts";
import { openDatabase } from "../open_database.ts";
import { type Contents, describeContents } from "./format.ts";
import { backupName } from "./kept_backups.ts";
import { BackupError } from "./backup_error.ts";
import { checkBackup, type CheckedBackup } from "./read_backup.ts";
import { type AppliedErasures, restoreBackup } from "./restore.ts";
import { verifyBackup } from "./verify.ts";
import { writeBackup } from "./write_backup.ts";

export type BackupSettings = Pick<Config, "dataDir" | "serverSecret">;

export interface BackupServices {
  readonly database: Database;
  readonly clock: Clock;
  /** The caller closes the store. */
  readonly openObjects: () => Promise<ObjectStore>;
  /** Seals the audit trail before a backup. */
  readonly seal: () => Promise<unknown>;
}

interface BackupChoices {
  readonly withSecret: boolean;
  /** Null without encryption. */
  readonly recipient: Recipient | null;
}

interface WrittenBackup extends Contents {
  readonly path: string;
  /** False if sealing failed; the backup is still complete. */
  readonly isSealed: boolean;
}

/** @throws IncompleteError with the lines, if attachments are lost. */
export function describeBackup({ path, isSealed, ...contents }: WrittenBackup): string[] {
  const unsealed = isSealed ? [] : ["The audit trail could not be sealed"];
  const lines = [path, describeContents(contents), ...unsealed];
  const { lost = [] } = contents.manifest;
  if (lost.length === 0) return lines;
  throw new IncompleteError([
    ...lines,
    `Attachments that are not in it, because their files are missing or damaged: ${lost.length}`,
    ...lost.map((id) => `  ${id}`),
    "Store the same files again, or restore them from an older backup: src/operator/backup/README.md",
  ]);
}

/**
 * Writes a backup of an open database under `DATA_DIR/backups`.
 *
 * Attachments whose bytes are lost are named in it instead.
 *
 * @throws BackupError, and errors of the file system; ServerSecretError if the secret is to be
 *   included and is missing. No backup is left then.
 */
export async function backUp(
  settings: BackupSettings,
  { database, clock, openObjects, seal }: BackupServices,
  { withSecret, recipient }: BackupChoices,
  report: Report,
): Promise<WrittenBackup> {
  await using opened = new AsyncDisposableStack();
  const folder = await makeBackupFolder(settings.dataDir);
  const objects = opened.adopt(await openObjects(), (store) => store.close());
  const serverSecret = withSecret ? await readServerSecret(settings, database) : null;
  const isSealed = await seal().then(() => true, () => false);
  const now = clock();
  const name = backupName(now, { scheduled: false, encrypted: recipient !== null });
  const path = `${folder}/${name}`;
  const source = { database, objects, now, serverSecret, recipient };
  return { path, isSealed, ...await writeBackup(source, path, { report }) };
}

/** Result of a restore for the server secret. */
export type RestoredSecret =
  /** The backup has no secret. */
  | "absent"
  /** `DATA_DIR` has the secret now, or it equals that of the settings. */
  | "kept"
  /** The settings, or `DATA_DIR`, have another secret, which stays. */
  | "other"
  /** Only the missing secret was stored in `DATA_DIR`; the existing rows are unchanged. */
  | "completed";

export interface BackupToRead {
  readonly path: string;
  /** Null for a file that is not encrypted. */
  readonly identity: AgeIdentity | null;
  /** Whether a backup without some attachments is used. */
  readonly acceptLost?: boolean;
}

/** @throws BackupError if attachments are lost, unless accepted; errors of `checkBackup`. */
async function checkWhole(
  { path, identity, acceptLost = false }: BackupToRead,
): Promise<CheckedBackup> {
  const backup = await checkBackup(path, identity);
  const { lost = [] } = backup.manifest;
  if (acceptLost || lost.length === 0) return backup;
  throw new BackupError([
    `Attachments that are not in the backup, because their files were missing or damaged: ${lost.length}`,
    ...lost.map((id) => `  ${id}`),
    "Add --accept-lost to use it without them",
  ].join("\n"));
}

/**
 * Restores a backup into the database of the settings, and its attachments under `DATA_DIR`. If
 * only the server secret is missing, restores it from the backup; accounts that exist keep their
 * rows.
 *
 * @param erasures Null if everything is restored.
 * @throws errors of `checkWhole`, `restoreBackup` and opening the database; ServerSecretError if
 *   the database was first used with a secret that is neither here nor in the backup.
 */
export async function restoreInstallation(
  config: Config,
  source: BackupToRead,
  report: Report,
  erasures: AppliedErasures | null = null,
): Promise<Contents & { readonly secret: RestoredSecret }> {
  const backup = await checkWhole(source);
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await openDatabase(config), (opening) => opening.close());
  await Deno.mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const backedUpSecret = backup.head.serverSecret;
  if (
    await restoreUsedSecret(config, database, backedUpSecret) &&
    await database.read(anyAccountExists)
  ) {
    return { ...backup, secret: "completed" };
  }
  const objects = opened.adopt(
    await openRestoredObjects(config, database, backup.head.schema),
    (store) => store.close(),
  );
  const present = config.serverSecret?.reveal() ?? await readStoredSecret(config.dataDir);
  if (backedUpSecret === null || present !== null) {
    await restoreBackup({ database, objects, erasures }, backup, report);
    const isSame = present === backedUpSecret;
    return { ...backup, secret: backedUpSecret === null ? "absent" : isSame ? "kept" : "other" };
  }
  const prepare = (tx: Tx) => prepareSecret(tx, config.dataDir, backedUpSecret);
  await restoreBackup({ database, objects, erasures }, backup, report, prepare);
  await placeSecret(config.dataDir);
  return { ...backup, secret: "kept" };
}

/** A schema before the step of chunks gets its attachments as files. */
async function openRestoredObjects(
  { dataDir, attachments }: Config,
  database: Database,
  schema: number,
): Promise<Pick<ObjectStore, "spool" | "close">> {
  const folder = `${dataDir}/objects`;
  return schema < CHUNKS_STEP
    ? await openFilesOnly(folder)
    : await openObjectStore(folder, database, attachments);
}

/**
 * Stores a backup's secret if the database was first used with it, and it is missing.
 *
 * @returns true if the secret was stored.
 */
async function restoreUsedSecret(
  { serverSecret, dataDir }: Config,
  database: Database,
  backedUpSecret: string | null,
): Promise<boolean> {
  const checkValue = await database.read(readCheckValue);
  if (serverSecret !== null || checkValue === null) return false;
  const stored = await readStoredSecret(dataDir);
  if (stored !== null && fits(stored, checkValue)) return false;
  if (backedUpSecret === null || !fits(backedUpSecret, checkValue)) throw missingSecret();
  await storeSecret(dataDir, backedUpSecret);
  return true;
}

/**
 * Restores a backup into a scratch database under `DATA_DIR/backups`, and compares.
 *
 * @throws errors of `checkWhole` and `verifyBackup`.
 */
export async function verifyInstallation(
  { dataDir }: Config,
  source: BackupToRead,
  report: Report,
): Promise<Contents> {
  const backup = await checkWhole(source);
  await withScratch(dataDir, (scratch) => verifyBackup(scratch, backup, report));
  return backup;
}

/**
 * Restores a backup into a scratch database, and verifies its audit seals.
 *
 * @param anchors As in `verifyTrails`.
 * @throws errors of `checkBackup` and `restoreBackup`.
 */
export async function verifyTrailsOfBackup(
  { dataDir }: Config,
  { path, identity }: BackupToRead,
  anchors: readonly string[],
  report: Report,
): Promise<Verification> {
  const backup = await checkBackup(path, identity);
  return await withScratch(dataDir, async (database) => {
    await restoreBackup({ database, objects: null }, backup, report);
    return await verifyTrails(database, anchors, report);
  });
}

/** Uses a temporary database under `DATA_DIR/backups`. */
async function withScratch<T>(
  dataDir: string,
  use: (scratch: Database) => Promise<T>,
): Promise<T> {
  const folder = `${await makeBackupFolder(dataDir)}/verify-${newId(systemClock())}`;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const scratch = opened.adopt(await openEmbedded(folder), (opening) => opening.close());
  return await use(scratch);
}

export async function makeBackupFolder(dataDir: string): Promise<string> {
  const folder = `${dataDir}/backups`;
  await makeSyncedFolder(folder);
  return folder;
}

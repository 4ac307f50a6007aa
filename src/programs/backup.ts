/** Backup, restore, and the check of a backup. */

import { adminSocketPath } from "../admin/execute.ts";
import { callAdminSocket } from "../admin/socket.ts";
import { describeContents } from "../backup/format.ts";
import {
  backUpInstallation,
  type RestoredSecret,
  restoreInstallation,
  tellBackup,
  verifyInstallation,
} from "../backup/installation.ts";
import type { Config } from "../config/config.ts";
import type { Report } from "../core/report.ts";
import { type BackupProgram, parseFile, runBackupProgram } from "./backup_program.ts";

const BACKUP: BackupProgram = {
  usage: "deno task backup [--with-secret]",
  cannot: "Cannot back up",
  parse: (words) => {
    const withSecret = words[0] === "--with-secret";
    if (words.length > (withSecret ? 1 : 0)) return null;
    return async (config, report) => {
      const answered = await askServer(config, withSecret, report);
      if (answered !== null) return answered;
      return tellBackup(await backUpInstallation(config, withSecret, report));
    };
  },
};

const RESTORE: BackupProgram = {
  usage: "deno task restore FILE",
  cannot: "Cannot restore",
  parse: (words) => {
    const path = parseFile(words);
    if (path === null) return null;
    return async (config, report) => {
      const restored = await restoreInstallation(config, path, report);
      return [`Restored ${describeContents(restored)}`, ...SECRETS[restored.secret]];
    };
  },
};

const VERIFY: BackupProgram = {
  usage: "deno task backup:verify FILE",
  cannot: "Cannot verify the backup",
  parse: (words) => {
    const path = parseFile(words);
    if (path === null) return null;
    return async (config, report) => [
      `Whole: ${describeContents(await verifyInstallation(config, path, report))}`,
    ];
  },
};

const SECRETS: Readonly<Record<RestoredSecret, readonly string[]>> = {
  absent: [],
  kept: ["The server secret is the backup's"],
  other: [
    "The server secret here is not the backup's: requests that are sent again are answered as before, " +
    "a key that is used for another request is no longer noticed, and of second factors only the " +
    "recovery codes are good",
  ],
};

/**
 * Writes a backup under `DATA_DIR/backups` and prints its name: by the server that holds the built-in
 * database while one runs, otherwise here.
 */
export async function runBackup(words: readonly string[]): Promise<number> {
  return await runBackupProgram(BACKUP, words);
}

/** Restores a backup into the empty database that the settings name. */
export async function runRestore(words: readonly string[]): Promise<number> {
  return await runBackupProgram(RESTORE, words);
}

/** Restores a backup into a scratch database, compares counts and digests, and removes it again. */
export async function runVerifyBackup(words: readonly string[]): Promise<number> {
  return await runBackupProgram(VERIFY, words);
}

/** Null where no server holds the database. */
async function askServer(
  { databaseUrl, dataDir }: Config,
  withSecret: boolean,
  report: Report,
): Promise<string[] | null> {
  if (databaseUrl !== null) return null;
  const secret = withSecret ? { secret: "include" } as const : {};
  const command = { command: "backup", ...secret } as const;
  return await callAdminSocket(adminSocketPath(dataDir), command, report);
}

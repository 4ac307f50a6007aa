import type { AdminCommand } from "../admin/command.ts";
import { executeCommand } from "../admin/execute.ts";
import { readPassphraseFile } from "../admin/secret_file.ts";
import { type Contents, describeContents } from "../backup/format.ts";
import { type RestoredSecret, verifyInstallation } from "../backup/installation.ts";
import { restoreFiltered } from "../erasure/filtered_restore.ts";
import { parseBackupToRead, parseWords, readSource } from "./backup_options.ts";
import { type BackupProgram, runBackupProgram } from "./backup_program.ts";

const BACKUP: BackupProgram = {
  usage: "deno task backup [--with-secret] [--passphrase-file FILE | --recipient age1pq1… …]",
  cannot: "Cannot back up",
  parse: (words) => {
    const given = parseWords(words, {
      flags: ["--with-secret"],
      options: ["--passphrase-file"],
      lists: ["--recipient"],
    });
    if (given === null || given.options.size > 1 || given.others.length > 0) return null;
    const { flags, options } = given;
    const recipient = options.get("--recipient");
    const passphraseFile = options.get("--passphrase-file");
    return async (config, report) => {
      const command: AdminCommand = {
        command: "backup",
        ...(flags.has("--with-secret") ? { secret: "include" } : {}),
        ...(recipient === undefined ? {} : { recipient }),
        ...(passphraseFile === undefined
          ? {}
          : { passphrase: await readPassphraseFile(passphraseFile) }),
      };
      return await executeCommand(config, command, report);
    };
  },
};

const RESTORE: BackupProgram = {
  usage: "deno task restore FILE [--passphrase-file FILE | --identity-file FILE] [--accept-lost]",
  cannot: "Cannot restore",
  creates: true,
  parse: (words) => {
    const read = parseBackupToRead(words);
    if (read === null) return null;
    return async (config, report) => {
      const restored = await restoreFiltered(config, await readSource(read), report);
      const contents = `Restored ${describeContents(restored)}`;
      return restored.secret === "completed"
        ? COMPLETED
        : [contents, ...describeLacking(restored), ...SECRETS[restored.secret]];
    };
  },
};

const VERIFY: BackupProgram = {
  usage:
    "deno task backup:verify FILE [--passphrase-file FILE | --identity-file FILE] [--accept-lost]",
  cannot: "Cannot verify the backup",
  parse: (words) => {
    const read = parseBackupToRead(words);
    if (read === null) return null;
    return async (config, report) => {
      const verified = await verifyInstallation(config, await readSource(read), report);
      const lacking = describeLacking(verified);
      const word = lacking.length === 0 ? "Whole" : "Whole but for attachments";
      return [`${word}: ${describeContents(verified)}`, ...lacking];
    };
  },
};

/** Lines about attachments that are not in the backup; none if it has all. */
function describeLacking({ manifest: { lost = [] } }: Contents): string[] {
  if (lost.length === 0) return [];
  return [
    `Attachments without bytes, until the same files are stored again: ${lost.length}`,
    ...lost.map((id) => `  ${id}`),
  ];
}

const COMPLETED: readonly string[] = [
  "Restored the server secret, which was missing; the database keeps its existing rows",
];

const SECRETS: Readonly<Record<Exclude<RestoredSecret, "completed">, readonly string[]>> = {
  absent: [],
  kept: ["The server secret is the backup's"],
  other: [
    "The server secret here differs from the backup's: repeated requests are answered as before, " +
    "a reused idempotency key is no longer detected, and of second factors only the " +
    "recovery codes work",
  ],
};

/**
 * Writes a backup under `DATA_DIR/backups` and prints its name; runs in the server that holds the
 * built-in database, if there is one.
 */
export async function runBackup(words: readonly string[]): Promise<number> {
  return await runBackupProgram(BACKUP, words);
}

/** Restores a backup into the settings' empty database. */
export async function runRestore(words: readonly string[]): Promise<number> {
  return await runBackupProgram(RESTORE, words);
}

/** Restores a backup into a scratch database, and compares counts and digests. */
export async function runVerifyBackup(words: readonly string[]): Promise<number> {
  return await runBackupProgram(VERIFY, words);
}

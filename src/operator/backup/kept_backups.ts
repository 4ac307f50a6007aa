/** File names and retention of scheduled backups. */

import { ignoreNotFound } from "../../core/files.ts";
import { draftOf } from "./backup_file.ts";

const SCHEDULED = ".scheduled";
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.scheduled\.prs-backup\.gz(?:\.age)?$/;

/** A name that `backupName` makes. */
export const BACKUP_NAME =
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(?:\.scheduled)?\.prs-backup\.gz(?:\.age)?$/;

/** Returns the time in a name that `backupName` makes. */
export function momentOfBackup(name: string): string {
  return name.slice(0, 24).replace(/T(\d\d)-(\d\d)-/, "T$1:$2:");
}

/** Returns a file name; names sort by time. */
export function backupName(
  at: Date,
  { scheduled, encrypted }: { readonly scheduled: boolean; readonly encrypted: boolean },
): string {
  const kind = scheduled ? SCHEDULED : "";
  return `${momentOf(at)}${kind}.prs-backup.gz${encrypted ? ".age" : ""}`;
}

/** Removes incomplete scheduled backups. */
export async function removeDrafts(folder: string): Promise<void> {
  const ending = draftOf("");
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const drafts = names.filter((name) =>
    name.endsWith(ending) && NAME.test(name.slice(0, -ending.length))
  );
  for (const name of drafts) await Deno.remove(`${folder}/${name}`).catch(ignoreNotFound);
}

/**
 * Keeps the newest scheduled backups of a folder; the one just written counts as newest. One from
 * the future was written before the clock was set back, and counts as oldest.
 *
 * @param keep At least 1.
 */
export async function removeOldBackups(
  folder: string,
  written: string,
  { keep, now }: { readonly keep: number; readonly now: Date },
): Promise<void> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const others = names.filter((name) => NAME.test(name) && name !== written);
  const limit = momentOf(now);
  const isPast = (name: string) => name.slice(0, limit.length) <= limit;
  const newestFirst = others.sort().reverse();
  const ranked = [...newestFirst.filter(isPast), ...newestFirst.filter((name) => !isPast(name))];
  for (const name of ranked.slice(keep - 1)) {
    await Deno.remove(`${folder}/${name}`).catch(ignoreNotFound);
  }
}

/** Formats a time without colons, which some file systems reject. */
function momentOf(at: Date): string {
  return at.toISOString().replaceAll(":", "-");
}

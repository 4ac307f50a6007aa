/** Scheduled backups: their file names, and which of them are kept. */

import { ignoreNotFound } from "../../core/files.ts";
import { draftOf } from "./backup_file.ts";

const SCHEDULED = ".scheduled";
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.scheduled\.prs-backup\.gz(?:\.age)?$/;

/** The name of a backup that is of a moment. Names sort by it. */
export function backupName(
  at: Date,
  { scheduled, encrypted }: { readonly scheduled: boolean; readonly encrypted: boolean },
): string {
  const kind = scheduled ? SCHEDULED : "";
  return `${momentOf(at)}${kind}.prs-backup.gz${encrypted ? ".age" : ""}`;
}

/** Removes the scheduled backups in a folder that were cut off while they were written. */
export async function removeDrafts(folder: string): Promise<void> {
  const ending = draftOf("");
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const drafts = names.filter((name) =>
    name.endsWith(ending) && NAME.test(name.slice(0, -ending.length))
  );
  for (const name of drafts) await Deno.remove(`${folder}/${name}`).catch(ignoreNotFound);
}

/**
 * Removes all but the newest scheduled backups in a folder; the one just written counts as the newest. One
 * from the future was written before the clock was set back: it counts as the oldest.
 *
 * @param keep How many stay, 1 or more.
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

/** Without colons, which some file systems reject. */
function momentOf(at: Date): string {
  return at.toISOString().replaceAll(":", "-");
}

/** What the three programs around a backup share: arguments, progress, and how they end. */

import { AdminError } from "../src/access/administration.ts";
import { type Config, processEnvironment, readConfig } from "../src/config/config.ts";
import type { Report } from "../src/backup/write_backup.ts";
import { exitCodeOf, explainFailure } from "../src/start_failure.ts";

const EXIT_USAGE = 2;

/** A program: what it takes, and what it does once it has that. */
export interface BackupProgram {
  readonly usage: string;
  /** As in "Cannot back up". */
  readonly cannot: string;
  /** Null when the words are not understood. */
  readonly parse: (
    words: readonly string[],
  ) => null | ((config: Config, report: Report) => Promise<readonly string[]>);
}

/**
 * Runs a program over the settings of the environment, and leaves its exit code: 0 done, 1 failed,
 * 2 not understood, 3 AUTHORIZATION_IDENTIFIER_CONFLICT, 78 configuration.
 */
export async function runBackupProgram({ usage, cannot, parse }: BackupProgram): Promise<void> {
  const act = parse(Deno.args);
  if (act === null) {
    print(Deno.stderr, `Usage: ${usage}\n`);
    Deno.exitCode = EXIT_USAGE;
    return;
  }
  const progress = createProgress();
  try {
    const lines = await act(readConfig(processEnvironment), progress.report);
    progress.clear();
    print(Deno.stdout, `${lines.join("\n")}\n`);
  } catch (error) {
    progress.clear();
    const why = error instanceof AdminError ? error.message : explainFailure(error, cannot);
    print(Deno.stderr, `${why}\n`);
    Deno.exitCode = exitCodeOf(error);
  }
}

/** The one word of a program that takes a file. */
export function parseFile(words: readonly string[]): string | null {
  const [path, ...others] = words;
  return path === undefined || path.startsWith("-") || others.length > 0 ? null : path;
}

/** One line of a terminal, written over and over; nothing where nobody watches. */
function createProgress(): { report: Report; clear: () => void } {
  if (!Deno.stderr.isTerminal()) return { report: () => {}, clear: () => {} };
  const show = (text: string) => print(Deno.stderr, `\r\x1b[K${text}`);
  return { report: show, clear: () => show("") };
}

function print(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  stream.writeSync(new TextEncoder().encode(text));
}

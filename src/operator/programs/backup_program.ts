import { type Config, processEnvironment, readConfig } from "../config/config.ts";
import { printNote, printResult } from "../../core/output.ts";
import type { Report } from "../../core/report.ts";
import { IncompleteError } from "../../errors/operator_error.ts";
import { inDataDir } from "./in_data_dir.ts";
import { EXIT_INCOMPLETE, exitCodeOf, explainFailure } from "./start_failure.ts";
import { createProgress } from "./progress.ts";

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

export interface BackupProgram {
  readonly usage: string;
  /** The failed action, as in "Cannot back up". */
  readonly cannot: string;
  /** True if it may create the installation of DATA_DIR. */
  readonly creates?: boolean;
  /** Null for invalid arguments. */
  readonly parse: (
    words: readonly string[],
  ) => null | ((config: Config, report: Report) => Promise<readonly string[] | Unsuccessful>);
}

/** A result that is printed as any other, with the exit code 1. */
export class Unsuccessful {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }
}

/**
 * Runs a program with the settings of the environment.
 *
 * @param words The command line after the program's name.
 * @returns the exit code: 0 done, 1 failed, 2 invalid arguments, 3 attachments are lost, or
 *   AUTHORIZATION_IDENTIFIER_CONFLICT, 78 permanent failures.
 */
export async function runBackupProgram(
  { usage, cannot, creates = false, parse }: BackupProgram,
  words: readonly string[],
): Promise<number> {
  const act = parse(words);
  if (act === null) {
    printNote(`Usage: ${usage}`);
    return EXIT_USAGE;
  }
  const progress = createProgress();
  try {
    const config = readConfig(processEnvironment);
    const result = await inDataDir(config, creates, () => act(config, progress.report));
    progress.clear();
    const isDone = !(result instanceof Unsuccessful);
    const isPrinted = printResult((isDone ? result : result.lines).join("\n"));
    return isDone && isPrinted ? 0 : EXIT_FAILURE;
  } catch (error) {
    progress.clear();
    if (error instanceof IncompleteError) {
      printResult(error.lines.join("\n"));
      return EXIT_INCOMPLETE;
    }
    printNote(explainFailure(error, cannot));
    return exitCodeOf(error);
  }
}

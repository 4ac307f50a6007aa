/**
 * The operator's commands.
 *
 * Exit codes: 0 done, 1 rejected or failed, 2 not understood, 3 done, but attachments are lost, or
 * AUTHORIZATION_IDENTIFIER_CONFLICT, 78 configuration.
 */

import {
  type AdminCommand,
  parseArguments,
  readCommand,
  usage,
  UsageError,
} from "../admin/command.ts";
import { executeCommand } from "../admin/execute.ts";
import { readPassword } from "../admin/password_prompt.ts";
import { processEnvironment, readConfig } from "../config/config.ts";
import type { JsonObject } from "../../core/json.ts";
import { printNote, printResult } from "../../core/output.ts";
import type { Report } from "../../core/report.ts";
import { IncompleteError, OperatorError } from "../../errors/operator_error.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { PASSWORD_RULES } from "../../validate/new_password.ts";
import { inDataDir } from "./in_data_dir.ts";
import { EXIT_INCOMPLETE, exitCodeOf, explainFailure } from "./start_failure.ts";
import { createProgress } from "./progress.ts";

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/**
 * Runs one command and prints its result.
 *
 * @param words The command line after the program's name.
 * @returns the exit code.
 */
export async function runAdmin(words: readonly string[]): Promise<number> {
  const progress = createProgress();
  try {
    const lines = await admin(words, progress.report);
    progress.clear();
    return printResult(lines.join("\n")) ? 0 : EXIT_FAILURE;
  } catch (error) {
    progress.clear();
    return fail(error);
  }
}

async function admin(words: readonly string[], report: Report): Promise<string[]> {
  const { given, needsPassword, passwordFile } = parseArguments(words);
  const config = readConfig(processEnvironment);
  return await inDataDir(config, false, async () => {
    if (!needsPassword) return await executeCommand(config, readCommand(given), report);
    const password = await readPassword(passwordFile);
    return await executeCommand(config, withPassword(given, password), report);
  });
}

/** The rest was checked with the command line. */
function withPassword(given: JsonObject, password: string): AdminCommand {
  try {
    return readCommand({ ...given, password });
  } catch (error) {
    throw error instanceof ServiceError ? new OperatorError(explainPassword(error)) : error;
  }
}

/** Violated rules of a password, one per line. */
function explainPassword({ details: { rules } }: ServiceError): string {
  const sentences: Readonly<Record<string, string>> = PASSWORD_RULES;
  const names = Array.isArray(rules) ? rules.map(String) : [];
  return names.map((name) => sentences[name] ?? "The password cannot be used").join("\n");
}

function fail(error: unknown): number {
  if (error instanceof UsageError) {
    printNote(`${error.message}\n${usage()}`);
    return EXIT_USAGE;
  }
  if (error instanceof IncompleteError) {
    printResult(error.lines.join("\n"));
    return EXIT_INCOMPLETE;
  }
  printNote(explainFailure(error, "Cannot run the command"));
  return exitCodeOf(error);
}

/** The command `prs`: a personal records service on the command line. */

import { edit } from "./edit.ts";
import { UsageError } from "./failures.ts";
import { fetchMonica } from "./fetch/monica.ts";
import { getFile, putFile } from "./files.ts";
import { importFile } from "./import.ts";
import { calibration, contacts, days, routines, series, week } from "./insight.ts";
import { mcp } from "./mcp.ts";
import { type Input, readInput, type Syntax, usageOf } from "./options.ts";
import { due, follow, list, search, show } from "./records.ts";
import { exportAccount, login, logout } from "./session.ts";
import { showFailure } from "./show_failure.ts";
import { note } from "./terminal.ts";
import { add, remember, sync } from "./waiting.ts";

/** A command: its syntax, and its action, which may return an exit code. */
interface Command extends Syntax {
  readonly run: (input: Input) => Promise<number | void>;
}

const RANGE = ["--from", "--until", "--zone"];

export const COMMANDS: readonly Command[] = [
  command("login", "ORIGIN", ["--email", "--name", "--permissions"], login),
  command("logout", "", ["--local"], logout),
  command("add", "[TEXT|-]", [], add),
  command("remember", "[TEXT|-]", [], remember),
  command("sync", "", [], sync),
  command("list", "MODULE", ["--archived", "--sort", "--from", "--until", "--limit"], list),
  command("show", "ID", [], show),
  command("edit", "ID", [], edit),
  command("search", "[WORDS|-]", [], search),
  command("due", "", [], due),
  command("insight series", "MODULE [FIELD]", [...RANGE, "--by", "--filter"], series),
  command("insight days", "[MODULE]", RANGE, days),
  command("insight contacts", "", ["--zone", "--limit"], contacts),
  command("insight routines", "", ["--zone", "--limit"], routines),
  command("insight calibration", "", [], calibration),
  command("insight week", "", ["--start", "--zone"], week),
  command("files put", "FILE", [], putFile),
  command("files get", "ID", ["-o"], getFile),
  command("import", "FILE", ["--format", "--name", "--preset", "--mapping", "--yes"], importFile),
  command("fetch monica", "", ["--from", "--token-file", "--out"], (input) => fetchMonica(input)),
  command("export", "", ["--file"], exportAccount),
  command("follow", "", ["--after", "--once"], follow),
  command("mcp", "", ["--token-file"], mcp),
];

function command(
  name: string,
  words: string,
  options: readonly string[],
  run: Command["run"],
): Command {
  return { name, words, options, run };
}

/**
 * Runs a command line.
 *
 * @returns the exit code: 0, 1 refused, 2 usage, 3 conflict, 4 not reachable, 5 sign in again.
 */
export async function runPrs(args: readonly string[]): Promise<number> {
  try {
    const input = readInput(args, COMMANDS);
    return await input.command.run(input) ?? 0;
  } catch (error) {
    // The reader of standard output has closed it.
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    const exitCode = showFailure({ isJson: args.includes("--json") }, error);
    if (error instanceof UsageError && error.message === "") note(usageOf(COMMANDS));
    return exitCode;
  }
}

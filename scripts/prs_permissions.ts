/**
 * Prints the permissions of `prs` with the words of its command line, a flag each line: its two
 * folders, the one origin, and the files and the program that the words name.
 */

import { isAbsolute, resolve } from "node:path";
import { editorWords } from "../src/prs/edit.ts";
import { configFolder, formerConfig, stateFolder } from "../src/prs/folders.ts";
import { readInput } from "../src/prs/options.ts";
import { COMMANDS } from "../src/prs/prs.ts";
import { print } from "./print.ts";

const VARIABLES = "HOME,XDG_CONFIG_HOME,XDG_STATE_HOME,VISUAL,EDITOR";

/** The flags for a command line; without any access if it is not understood. */
export async function prsPermissions(args: readonly string[]): Promise<string[]> {
  const flags = ["--no-prompt", `--allow-env=${VARIABLES}`];
  try {
    const { command: { name }, words: [word = ""], option } = readInput(args, COMMANDS);
    const origin = name === "login" ? word : (await formerConfig())?.origin;
    const folders = [configFolder(), stateFolder()];
    const read = name === "import" || name === "files put" ? [word] : [];
    const files = [option("--mapping"), option("--token-file"), ...read];
    const made = [option("-o"), option("--file")];
    return [
      ...flags,
      list("--allow-read", [...folders, ...files].filter(isText)),
      list("--allow-write", [...folders, ...made].filter(isText)),
      ...origin !== undefined && URL.canParse(origin) ? [`--allow-net=${hostOf(origin)}`] : [],
      ...name === "login" ? ["--allow-sys=hostname"] : [],
      ...name === "edit" ? [`--allow-run=${editorWords()[0]}`] : [],
    ];
  } catch {
    // The command itself reports the error.
    return flags;
  }
}

function isText(path: string | null): path is string {
  return path !== null && path !== "";
}

/** A comma in a path is written twice. */
function list(flag: string, paths: readonly string[]): string {
  const absolute = paths.map((path) => isAbsolute(path) ? path : resolve(path));
  return `${flag}=${absolute.map((path) => path.replaceAll(",", ",,")).join(",")}`;
}

function hostOf(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

if (import.meta.main) {
  print((await prsPermissions(Deno.args)).join("\n"));
}

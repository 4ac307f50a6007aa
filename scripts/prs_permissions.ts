/**
 * Prints the permissions of `prs` with the words of its command line, a flag each line: its two
 * folders, the one origin, and the files and the program that the words name. `fetch` has those
 * that its words name, and no others.
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
    // Reads another product, and needs neither the token nor the texts of this service.
    const isFetch = name === "fetch monica";
    const named = isFetch ? option("--from") ?? undefined : (await formerConfig())?.origin;
    const origin = name === "login" ? word : named;
    const folders = isFetch ? [] : [configFolder(), stateFolder()];
    const read = name === "import" || name === "files put" ? [word] : [];
    const files = [option("--mapping"), option("--token-file"), option("--out"), ...read];
    const made = [option("-o"), option("--file"), option("--out")];
    return [
      ...flags,
      ...list("--allow-read", [...folders, ...files].filter(isText)),
      ...list("--allow-write", [...folders, ...made].filter(isText)),
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

/** The flag for paths, of which each has its commas twice; none for no path. */
function list(flag: string, paths: readonly string[]): string[] {
  const absolute = paths.map((path) => isAbsolute(path) ? path : resolve(path));
  const named = absolute.map((path) => path.replaceAll(",", ",,")).join(",");
  return named === "" ? [] : [`${flag}=${named}`];
}

function hostOf(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

if (import.meta.main) {
  print((await prsPermissions(Deno.args)).join("\n"));
}

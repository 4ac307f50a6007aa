/**
 * Packs the program with the permissions of `deno task run`, except `./node_modules`: its packages are
 * included. It may write to the current DATA_DIR, and reach any address, because settings are read at run
 * time.
 */

import { programFlags } from "./program_flags.ts";

export const OUTPUT = "dist/personal-records-service";

export function compileArguments(configuration: string, dataDir: string): string[] {
  const flags = programFlags(configuration, dataDir)
    .map((flag) => flag.replace("=./node_modules,", "="));
  return ["compile", "--output", OUTPUT, ...flags, "main.ts"];
}

if (import.meta.main) {
  const configuration = await Deno.readTextFile("deno.json");
  const args = compileArguments(configuration, Deno.env.get("DATA_DIR") || "./data");
  const { code } = await new Deno.Command("deno", { args }).spawn().status;
  Deno.exitCode = code;
}

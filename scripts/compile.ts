/**
 * Packs the program with the permissions of `deno task run`, except `./node_modules`, because its packages
 * are included. It may write to the current DATA_DIR. It may reach any address, because the settings that
 * name addresses are read at run time. What only the word `prs` needs is added, and given up by all others.
 */

import { PRS_PERMISSIONS } from "../src/operator/programs/prs_permissions.ts";
import { programFlags } from "./program_flags.ts";

export const OUTPUT = "dist/personal-records-service";

export function compileArguments(
  configuration: string,
  dataDir: string,
  output = OUTPUT,
): string[] {
  const flags = programFlags(configuration, dataDir)
    .map((flag) => flag.replace("=./node_modules,", "="))
    .map((flag) => [flag, ...PRS_PERMISSIONS[flag.split("=")[0] ?? ""] ?? []].join(","));
  return ["compile", "--output", output, ...flags, "--allow-run", "main.ts"];
}

if (import.meta.main) {
  const configuration = await Deno.readTextFile("deno.json");
  const args = compileArguments(configuration, Deno.env.get("DATA_DIR") || "./data");
  const { code } = await new Deno.Command("deno", { args }).spawn().status;
  Deno.exitCode = code;
}

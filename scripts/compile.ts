/**
 * Packs the program with the permissions of `deno task run`, except `./node_modules`, because its
 * packages are included. It may write to the current DATA_DIR, and read the zone files of the
 * current ZONEINFO, by default those of the system. It may reach any address, because the settings
 * that name addresses are read at run time. The permissions that only the word `prs`
 * needs are added, and given up by all others.
 */

import { printNote } from "../src/core/output.ts";
import { programFlags } from "../src/operator/config/program_flags.ts";
import { PRS_PERMISSIONS } from "../src/operator/programs/prs_permissions.ts";

export const OUTPUT = "dist/personal-records-service";

const SYSTEM_ZONES = "/usr/share/zoneinfo";

export function compileArguments(
  dataDir: string,
  output = OUTPUT,
  zoneinfo = SYSTEM_ZONES,
): string[] {
  const flags = programFlags(dataDir, undefined, [], zoneinfo)
    .map((flag) => flag.replace("=./node_modules,", "="))
    .map((flag) => [flag, ...PRS_PERMISSIONS[flag.split("=")[0] ?? ""] ?? []].join(","));
  return ["compile", "--output", output, ...flags, "--allow-run", "main.ts"];
}

/** Names the source of the runtime, for a machine that cannot download it. */
export function runtimeSource(version: string, target: string): string {
  return `If the runtime could not be downloaded: get https://dl.deno.land/release/v${version}/` +
    `denort-${target}.zip on another machine, unpack it, and set DENORT_BIN to the path of denort`;
}

if (import.meta.main) {
  const [dataDir, zoneinfo] = [Deno.env.get("DATA_DIR"), Deno.env.get("ZONEINFO")];
  const args = compileArguments(dataDir || "./data", OUTPUT, zoneinfo || SYSTEM_ZONES);
  const { code } = await new Deno.Command("deno", { args }).spawn().status;
  if (code !== 0) printNote(runtimeSource(Deno.version.deno, Deno.build.target));
  Deno.exitCode = code;
}

/**
 * The program's permissions, V8 flags and settings of its memory, of which `deno task snapshot`
 * makes the task `run`.
 */

import { ENVIRONMENT_NAMES } from "./env.ts";

/** The folders of the `_FILE` settings. */
export const SECRET_FOLDERS = "./secrets,/run/secrets,/run/credentials";

/**
 * Settings of glibc: memory of more than 128 KiB is given back when it is freed, and all threads
 * share one arena, because each arena holds on to its own free memory.
 */
export const PROGRAM_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "131072",
};

/**
 * All programs of a start have the same ones: Deno keeps one compiled form of a module, and V8
 * discards a form that was made with others.
 */
export const V8_FLAGS =
  "--v8-flags=--max-semi-space-size=4,--heap-growing-percent=100,--wasm-tiering-budget=2000000000";

/** The words after `$` are variables of the task's shell. */
export const PROGRAM_FLAGS: readonly string[] = [
  V8_FLAGS,
  "--no-prompt",
  "--allow-net=$NET",
  `--allow-env=${ENVIRONMENT_NAMES.join()}`,
  "--ignore-env=PG*",
  "--allow-sys=statfs,uid,systemMemoryInfo",
  `--allow-read=./node_modules,${SECRET_FOLDERS},$DATA_DIR$INTO$SOCKETS$ZONES`,
  "--allow-write=$DATA_DIR$INTO$SOCKETS",
];

/**
 * Returns the flags after expansion by the task's shell.
 *
 * @param dataDir The value of DATA_DIR.
 * @param net From `netAccess`; by default all addresses, for unknown settings.
 * @param sockets From `socketFiles`.
 * @param zoneinfo The value of ZONEINFO.
 */
export function programFlags(
  dataDir: string,
  net?: readonly string[],
  sockets: readonly string[] = [],
  zoneinfo?: string,
): string[] {
  const access = net === undefined ? "--allow-net" : `--allow-net=${net.join()}`;
  const files = [dataDir, ...sockets].join();
  const zones = zoneinfo === undefined ? "" : `,${zoneinfo}`;
  return PROGRAM_FLAGS.map((flag) =>
    flag.replace("--allow-net=$NET", access).replace("$DATA_DIR$INTO$SOCKETS", files)
      .replace("$ZONES", zones)
  );
}

/** The program's permissions, from the task that defines them. */

/** The task in `deno.json` that names the flags; others call it. */
export const PROGRAM_TASK = "run";

/**
 * Returns the flags after expansion by the task's shell.
 *
 * @param configuration Text of `deno.json`.
 * @param dataDir The value of DATA_DIR.
 * @param net From `netAccess`; by default all addresses, for unknown settings.
 * @param sockets From `socketFiles`.
 */
export function programFlags(
  configuration: string,
  dataDir: string,
  net?: readonly string[],
  sockets: readonly string[] = [],
): string[] {
  const { command } = JSON.parse(configuration).tasks[PROGRAM_TASK];
  const [, flags] = /.*deno run (.*) main\.ts$/.exec(command) ?? [];
  if (flags === undefined) throw new Error(`The task ${PROGRAM_TASK} has no flags`);
  const access = net === undefined ? "--allow-net" : `--allow-net=${net.join()}`;
  return flags.replaceAll('"', "").split(" ")
    .map((flag) =>
      flag.replace("--allow-net=$NET", access).replaceAll("$DATA_DIR", dataDir)
        .replaceAll("$INTO", "").replaceAll("$SOCKETS", sockets.map((file) => `,${file}`).join(""))
    );
}

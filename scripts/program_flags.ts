/** The permissions of the program, from the task that defines them. */

/** The task of `deno.json` that names them; the tasks that a person types call it with a word. */
export const PROGRAM_TASK = "run";

/**
 * The flags of the task that runs the program, after expansion by the task's shell.
 *
 * @param configuration The text of `deno.json`.
 * @param dataDir The value of DATA_DIR.
 * @param net The addresses that the program may reach, from `netAccess`; without it all addresses, for when
 * the settings are not known yet.
 */
export function programFlags(
  configuration: string,
  dataDir: string,
  net?: readonly string[],
): string[] {
  const { command } = JSON.parse(configuration).tasks[PROGRAM_TASK];
  const [, flags] = /.*deno run (.*) main\.ts$/.exec(command) ?? [];
  if (flags === undefined) throw new Error(`The task ${PROGRAM_TASK} has no flags`);
  const access = net === undefined ? "--allow-net" : `--allow-net=${net.join()}`;
  return flags.replaceAll('"', "").split(" ")
    .map((flag) => flag.replace("--allow-net=$NET", access).replaceAll("$DATA_DIR", dataDir));
}

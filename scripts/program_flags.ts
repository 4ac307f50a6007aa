/** The permissions that the program runs with, as the one task says that has them. */

/** The task of `deno.json` that names them; the tasks that a person types call it with a word. */
export const PROGRAM_TASK = "run";

/**
 * The flags of the task that runs the program, as that task's shell would hand them on.
 *
 * @param configuration The text of `deno.json`.
 * @param dataDir What DATA_DIR is.
 * @param net What the program may reach, as `netAccess` has it; without it everything, as where the
 * settings are not known yet.
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

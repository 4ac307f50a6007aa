/**
 * Writes the task `run` of `deno.json`: the program with the permissions that its settings need. A
 * test compares them.
 *
 * @module
 */

import {
  PROGRAM_ENVIRONMENT,
  PROGRAM_FLAGS,
  SECRET_FOLDERS,
  V8_FLAGS,
} from "../src/operator/config/program_flags.ts";

const FILE = "deno.json";
const DATABASES = "DATABASE_URL,DATABASE_URL_FILE,ERASE_DATABASE_URL,ERASE_DATABASE_URL_FILE";
const SETTINGS = `deno run ${V8_FLAGS} --no-prompt`;
const READ = `"--allow-read=${SECRET_FOLDERS},$DATA_DIR"`;

/** Returns the command for the shell of Deno's tasks. */
export function runCommand(): string {
  const flags = PROGRAM_FLAGS.map((flag) => flag.includes("$") ? `"${flag}"` : flag).join(" ");
  const environment = Object.entries(PROGRAM_ENVIRONMENT).map(([name, value]) =>
    `${name}=${value}`
  );
  return [
    'DATA_DIR=$(test -n "$DATA_DIR" && echo "$DATA_DIR" || echo ./data)',
    'INTO=$(test -n "$ERASE_FOLDER" && echo ",$ERASE_FOLDER" || echo "")',
    'ZONES=$(test -n "$ZONEINFO" && echo ",$ZONEINFO" || echo "")',
    'SOCKETS=$(test -z "$DATABASE_URL$DATABASE_URL_FILE" && echo "" || ' +
    `${SETTINGS} --allow-env=${DATABASES} ${READ} scripts/net_access.ts --sockets)`,
    `NET=$(${SETTINGS} --allow-env=HOST,PORT,${DATABASES},EVALUATION_PROVIDER_URL ` +
    `--allow-sys=networkInterfaces ${READ} scripts/net_access.ts "$DATA_DIR")`,
    `${environment.join(" ")} deno run ${flags} main.ts`,
  ].join(" && ");
}

if (import.meta.main) {
  const text = await Deno.readTextFile(FILE);
  const { command } = JSON.parse(text).tasks.run;
  const written = text.replace(JSON.stringify(command), () => JSON.stringify(runCommand()));
  await Deno.writeTextFile(FILE, written);
}

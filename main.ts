import { ServerSecretError } from "./src/access/server_secret.ts";
import { ConfigError, processEnvironment, readConfig } from "./src/config/config.ts";
import { errorFields } from "./src/core/log.ts";
import { EmbeddedDatabaseError } from "./src/database/embedded.ts";
import { MigrationError } from "./src/database/migrate.ts";
import { type Service, startService } from "./src/service.ts";

/** Exit codes of a start that cannot succeed; sysexits.h calls 78 EX_CONFIG. */
const EXIT_CONFIGURATION = 78;
const EXIT_FAILURE = 1;

const starting = start();
let stopped: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // A terminal and a supervisor may each send it: the second must not cut the first short.
  Deno.addSignalListener(signal, () => stopped ??= stop());
}
printWelcome(await starting);

/** Also while the service is still starting: it is stopped in good order as soon as it runs. */
async function stop(): Promise<void> {
  await (await starting).stop();
  Deno.exit(0);
}

async function start(): Promise<Service> {
  try {
    return await startService(readConfig(processEnvironment));
  } catch (error) {
    const isConfiguration = error instanceof ConfigError || error instanceof ServerSecretError;
    print(explain(error));
    Deno.exit(isConfiguration ? EXIT_CONFIGURATION : EXIT_FAILURE);
  }
}

/** Our own messages hold no value. Of anything else, which may quote one, kind and code are told. */
function explain(error: unknown): string {
  const ours = [ConfigError, ServerSecretError, EmbeddedDatabaseError, MigrationError];
  if (error instanceof Error && ours.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Deno.errors.AddrInUse) return "Cannot start: HOST and PORT are in use";
  const { error: kind, code } = errorFields(error);
  if (code === "HTTP_503") return "Cannot start: the database cannot be reached";
  return `Cannot start: ${kind}${code ? ` ${code}` : ""}`;
}

/** Standard error is for the person at the terminal; standard output is the log, for machines. */
function print(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

function printWelcome({ origin, setupToken }: Service): void {
  print(`Personal Records Service is ready at ${origin}`);
  if (setupToken === null) return;
  print(`
No account exists yet. This link sets up the first one, once, within 24 hours:

  ${origin}/#setup=${setupToken}

or from a terminal:

  curl -X POST ${origin}/api/v2/auth/setup -H 'Content-Type: application/json' \\
    -d '{"setupToken":"${setupToken}","email":"you@example.org","password":"at least twelve characters","displayName":"You","transport":"bearer"}'
`);
}

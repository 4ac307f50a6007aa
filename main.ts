import { ServerSecretError } from "./src/access/server_secret.ts";
import { ConfigError, processEnvironment, readConfig } from "./src/config/config.ts";
import { errorFields } from "./src/core/log.ts";
import { EmbeddedDatabaseError } from "./src/database/embedded.ts";
import { MigrationError } from "./src/database/migrate.ts";
import { type Service, startService } from "./src/service.ts";

/** Exit codes of a start that cannot succeed; sysexits.h calls 78 EX_CONFIG. */
const EXIT_CONFIGURATION = 78;
const EXIT_DATABASE = 1;

const service = await start();
printWelcome(service);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => void service.stop().then(() => Deno.exit(0)));
}

async function start(): Promise<Service> {
  try {
    return await startService(readConfig(processEnvironment));
  } catch (error) {
    if (error instanceof ConfigError || error instanceof ServerSecretError) {
      return fail(error, EXIT_CONFIGURATION);
    }
    if (error instanceof EmbeddedDatabaseError || error instanceof MigrationError) {
      return fail(error, EXIT_DATABASE);
    }
    // Anything else may quote a connection string or a row: only its kind and code are told.
    const { error: kind, code } = errorFields(error);
    return fail(new Error(`Cannot start: ${kind} ${code ?? ""}`), EXIT_DATABASE);
  }
}

function fail(error: Error, code: number): never {
  print(error.message);
  Deno.exit(code);
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

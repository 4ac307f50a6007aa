import { resolve } from "node:path";
import { waitUpTo } from "../../core/deadline.ts";
import { setupText } from "../admin/setup_text.ts";
import { type Config, processEnvironment, readConfig } from "../config/config.ts";
import { changeOwner, readOwner } from "../config/data_dir.ts";
import { printNote } from "../../core/output.ts";
import { currentUser } from "../config/file_errors.ts";
import { settingWarnings } from "../config/warnings.ts";
import { type Service, startService } from "../../service.ts";
import { endingSignals } from "./hang_up.ts";
import { namingFiles } from "./in_data_dir.ts";
import { memoryWarning } from "./memory_minimum.ts";
import { exitCodeOf, explainFailure } from "./start_failure.ts";
import { endOnUncaughtErrors } from "./uncaught_errors.ts";

const EXIT_BROKEN = 1;
/** How long a signal waits for a start. */
const MILLISECONDS_TO_START = 5_000;

/**
 * Starts the service with the settings; returns when it is ready. A signal stops it. If the
 * built-in database stops, the process exits with a failure, so that a supervisor restarts it.
 */
export async function serveRecords(): Promise<void> {
  endOnUncaughtErrors();
  const starting = start();
  let stopped: Promise<void> | undefined;
  for (const signal of endingSignals()) {
    // A terminal and a supervisor may each send it: the second must not interrupt the first.
    Deno.addSignalListener(signal, () => stopped ??= stop(starting, 0));
  }
  const service = await starting;
  void service.broken.then(() => stopped ??= stop(starting, EXIT_BROKEN));
  printWelcome(service);
}

/**
 * A service that is still starting is stopped cleanly as soon as it runs. If that takes long, as
 * while its first commit waits for a standby, the process ends, and the database rolls back or
 * completes the commit.
 */
async function stop(starting: Promise<Service>, exitCode: number): Promise<void> {
  const service = await waitUpTo(MILLISECONDS_TO_START, starting);
  await service?.stop();
  Deno.exit(exitCode);
}

async function start(): Promise<Service> {
  try {
    const config = readConfig(processEnvironment);
    printWarnings(config);
    return await startForOwner(config);
  } catch (error) {
    printNote(explainFailure(error, "Cannot start"));
    Deno.exit(exitCodeOf(error));
  }
}

function printWarnings(config: Config): void {
  const memory = memoryWarning(config);
  for (const warning of settingWarnings(processEnvironment, config)) printNote(warning);
  if (memory !== null) printNote(memory);
}

/** Starts the service; root leaves its files to the owner of DATA_DIR. */
async function startForOwner(config: Config): Promise<Service> {
  const owner = currentUser() === 0 ? await readOwner(config) : null;
  const folder = resolve(config.dataDir);
  const changeOwners = () => changeOwner(folder, owner);
  try {
    const service = await namingFiles(config, () => startService(config));
    return { ...service, stop: () => service.stop().finally(changeOwners) };
  } catch (error) {
    changeOwners();
    throw error;
  }
}

/** Prints in one write, so that a program that waits for the first line also finds the link. */
function printWelcome({ origin, setupToken }: Service): void {
  const lines = [`Personal Records Service is ready at ${origin}`];
  if (setupToken !== null) {
    lines.push("", "No account exists yet.", ...setupText(origin, setupToken), "");
  }
  printNote(lines.join("\n"));
}

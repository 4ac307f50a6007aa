import { processEnvironment, readConfig } from "../config/config.ts";
import { ownAddress } from "../../core/loopback.ts";
import { printNote } from "../../core/output.ts";
import { exitCodeOf, explainFailure } from "./start_failure.ts";

/** A slower service counts as unhealthy; the supervisor asks again soon. */
const MILLISECONDS_TO_RESPOND = 3_000;

/**
 * Health check for containers without curl or a shell, of the address that the settings listen on;
 * `PORT` must be fixed.
 *
 * @returns the exit code: 0 if `GET /healthz` returns 200, 78 for the settings, otherwise 1.
 */
export async function checkHealth(): Promise<number> {
  try {
    const { host, port } = readConfig(processEnvironment);
    const url = `http://${ownAddress(host)}:${port}/healthz`;
    const signal = AbortSignal.timeout(MILLISECONDS_TO_RESPOND);
    const answer = await fetch(url, { signal, redirect: "error" });
    await answer.body?.cancel();
    return answer.status === 200 ? 0 : 1;
  } catch (error) {
    printNote(explainFailure(error, "The service does not answer"));
    return exitCodeOf(error);
  }
}

/** Starts that fail, in the test's process. */

import type { Database } from "../../../src/database/database.ts";
import { openPresentDatabase } from "../../../src/operator/open_database.ts";
import { exitCodeOf, explainFailure } from "../../../src/operator/programs/start_failure.ts";
import { configOf } from "../../support/own_service.ts";

const SERVER_SECRET = "a server secret that only tests know";

/** Opens a database as every program does. */
export async function open(
  url: string,
  settings: Readonly<Record<string, string>> = { ALLOW_UNSAFE_DATABASE: "true" },
): Promise<Database> {
  const dataDir = await Deno.makeTempDir({ prefix: "prs-refused-" });
  try {
    return await openPresentDatabase(
      configOf(dataDir, { DATABASE_URL: url, SERVER_SECRET, ...settings }),
    );
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** The exit code and the sentence of a start; null if it succeeds. */
export async function refusalOf(
  url: string,
  settings?: Readonly<Record<string, string>>,
): Promise<readonly [code: number, sentence: string] | null> {
  try {
    await (await open(url, settings)).close();
    return null;
  } catch (error) {
    return [exitCodeOf(error), explainFailure(error, "Cannot start")];
  }
}

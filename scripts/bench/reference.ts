/** The limit to compare with: bare tables, one statement per operation. */

import { SUMMARY, TITLE } from "./operations.ts";
import { runPgbench } from "./pgbench.ts";
import { type BenchServer, runStatements } from "./server.ts";

const FOLDER = new URL("./reference/", import.meta.url).pathname;

export const LIMITED = ["create", "get", "list", "patch"] as const;
export type Limited = (typeof LIMITED)[number];

/** As large as the service's. */
const VARIABLES = {
  title: TITLE.replace("{serial}", "0123456789ab"),
  summary: SUMMARY,
  fingerprint: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  payload: JSON.stringify({
    kind: "reading",
    place: "12 Harbour Street, Upper Floor, Reading Room",
    number: 4711,
    amount: "1249.50",
    tags: ["personal", "reading", "review", "weekly"],
    body: "Walked along the river in the morning, then read two chapters and wrote down what I " +
      "want to remember about them for next week, including the names.",
    source: {
      app: "import",
      reference: "row-4711",
      device: "laptop-home",
      at: "2026-11-20T08:00:00Z",
      checksum: "9f86d081884c7d65",
    },
  }),
};

/** Bare tables with 10,000 records, in an empty database. */
export async function prepareReference(databaseUrl: string): Promise<void> {
  const [schema, seed] = await Promise.all(
    ["schema.sql", "seed.sql"].map((name) => Deno.readTextFile(FOLDER + name)),
  );
  await runStatements(databaseUrl, [schema ?? "", seed ?? ""]);
}

/** Requests per second. */
export async function measureReference(
  { programs, referenceUrl }: BenchServer,
  operation: Limited,
  connections: number,
  seconds: number,
): Promise<number> {
  const script = `${FOLDER}${operation}.sql`;
  const job = { programs, databaseUrl: referenceUrl, script, connections, seconds };
  return await runPgbench({ ...job, variables: VARIABLES });
}

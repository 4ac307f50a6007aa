/**
 * `deno task bench:contacts`: an import of 5,000 cards with four details each, from the upload to
 * DONE, in new processes in turn. A folder as the argument is another checkout, whose times are
 * measured in the same run; the ratio is ours to its. `--postgres` measures on a PostgreSQL of its
 * own; `--cards` and `--rounds` change the size.
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { act, upload } from "../../tests/http/imports.ts";
import { PROJECT } from "../../tests/support/server_process.ts";
import { createServerDatabase } from "../../tests/support/template.ts";
import { startCluster } from "../postgres_cluster.ts";
import { print } from "../print.ts";
import { untilState } from "./import_state.ts";
import { processorMilliseconds } from "./service_process.ts";
import { median } from "./statistics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cards: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
    postgres: { type: "boolean", default: false },
  },
});
const folders = [PROJECT, ...positionals.map((folder) => Deno.realPathSync(folder))];

/** Seconds of an import. */
interface Times {
  readonly wall: number;
  /** The process of the service includes the built-in engine. */
  readonly processor: number;
}

function cards(count: number): string {
  return Array.from({ length: count }, (_, index) =>
    [
      "BEGIN:VCARD",
      "VERSION:4.0",
      `UID:urn:uuid:0f8fad5b-d9cb-469f-a165-${String(index).padStart(12, "0")}`,
      `FN:Person ${index}`,
      `TEL;TYPE=cell:+49 30 ${9_000_000 + index}`,
      `EMAIL;TYPE=home:person.${index}@example.org`,
      `ADR;TYPE=home:;;Street ${index % 97};Town ${index % 31};;${10_000 + index % 8_999};Land`,
      `BDAY:19${50 + index % 50}${String(1 + index % 12).padStart(2, "0")}15`,
      "END:VCARD\r\n",
    ].join("\r\n")).join("");
}

function inWords(folder: string, { wall, processor }: Times): string {
  return `${folder}: ${wall.toFixed(2)} s, ${processor.toFixed(2)} s of processor time`;
}

/** Starts the service of a checkout on an empty database, and imports the cards. */
async function measure(folder: string, clusterUrl: string | null): Promise<Times> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "prs-bench-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const env: Record<string, string> = { PORT: "0", DATA_DIR: dataDir };
  if (clusterUrl !== null) {
    env.DATABASE_URL = (await createServerDatabase({ empty: true, clusterUrl })).url;
    env.SERVER_SECRET = "a server secret that only this measurement knows";
  }
  const support = pathToFileURL(`${folder}/tests/support/server_process.ts`).href;
  const { startServer } = await import(support);
  const server = opened.use(await startServer(env));
  const caller = await server.setUp();
  const file = cards(Number(values.cards));
  const before = await processorMilliseconds(server.pid);
  const begun = performance.now();
  const { importId } = (await upload(caller, "vcard", file)).body.data;
  const { plan } = await untilState(caller, importId, "PLANNED");
  await act(caller, importId, "run", { plan });
  const { counts } = await untilState(caller, importId, "DONE");
  const wall = (performance.now() - begun) / 1000;
  if (counts.person.new !== Number(values.cards)) throw new Error(JSON.stringify(counts));
  return { wall, processor: (await processorMilliseconds(server.pid) - before) / 1000 };
}

await using opened = new AsyncDisposableStack();
const cluster = values.postgres ? await startCluster({ durable: true }) : null;
if (cluster !== null) opened.defer(() => cluster.stop());
const times = folders.map((): Times[] => []);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [index, folder] of folders.entries()) {
    const measured = await measure(folder, cluster?.url ?? null);
    times[index]?.push(measured);
    print(inWords(folder, measured));
  }
}
print("medians:");
const medians = times.map((each) => ({
  wall: median(each.map(({ wall }) => wall)),
  processor: median(each.map(({ processor }) => processor)),
}));
const [ours] = medians;
for (const [index, { wall, processor }] of medians.entries()) {
  print(inWords(folders[index] ?? "", { wall, processor }));
  if (ours === undefined || index === 0) continue;
  const ratios = [ours.wall / wall, ours.processor / processor];
  print(`ratio: ${ratios.map((ratio) => ratio.toFixed(2)).join(", of processor time ")}`);
}

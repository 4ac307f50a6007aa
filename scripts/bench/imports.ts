/**
 * `deno task bench:imports`: an import of 8,000 Day One entries with 500 photos. Its time as a
 * ratio to the same writes through POST /memory/texts, the memory of the service above idle, and
 * the duration of other requests during it, also as a ratio to that before it. `--postgres`
 * measures on a PostgreSQL of its own; `--entries` and `--photos` change the sizes.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { ulid } from "@std/ulid";
import { act, upload } from "../../tests/http/imports.ts";
import { startServer } from "../../tests/support/server_process.ts";
import { createServerDatabase } from "../../tests/support/template.ts";
import type { Caller } from "../../tests/support/world.ts";
import { zip } from "../../tests/support/zip.ts";
import { startCluster } from "../postgres_cluster.ts";
import { untilState } from "./import_state.ts";
import { residentMegabytes } from "./service_process.ts";
import { percentile } from "./statistics.ts";
import { print } from "../print.ts";

const PHOTO_BYTES = 60_000;
const PROBE_MS = 25;
/** How long other requests are measured without an import. */
const BASELINE_MS = 10_000;

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "8000" },
    photos: { type: "string", default: "500" },
    postgres: { type: "boolean", default: false },
  },
});
const entries = Number(values.entries);
const photos = Number(values.photos);

/** The text of an entry, of some 600 characters. */
function textOf(index: number): string {
  const words = Array.from({ length: 90 }, (_, word) => `word${(index * 31 + word * 17) % 997}`);
  return `Entry ${index}\n\n${words.join(" ")}`;
}

/** A journal as Day One exports it. */
function journal(): Uint8Array {
  const files = Array.from({ length: photos }, (_, index) => {
    const content = new Uint8Array(PHOTO_BYTES).map((_, at) =>
      ((at * 7 + index) * (index + 1)) >> 3
    );
    return { md5: createHash("md5").update(content).digest("hex"), content };
  });
  const listed = Array.from({ length: entries }, (_, index) => {
    const file = files[index];
    const photo = file === undefined ? "" : `\n![](dayone-moment://P${index})`;
    return {
      uuid: `E${index}`,
      creationDate: new Date(Date.UTC(2010, 0, 1) + index * 3_600_000 * 11).toISOString()
        .replace(".000", ""),
      timeZone: "Europe/Berlin",
      text: textOf(index) + photo,
      richText: JSON.stringify({ contents: [{ text: textOf(index) }] }),
      tags: [`Tag ${index % 40}`],
      ...(file && { photos: [{ identifier: `P${index}`, md5: file.md5 }] }),
    };
  });
  return zip([
    { name: "Journal.json", content: JSON.stringify({ entries: listed }) },
    ...files.map(({ md5, content }) => ({
      name: `photos/${md5}.jpeg`,
      content,
      isStored: true,
    })),
  ]);
}

/** Creates the same memories one after the other, and returns the seconds it takes. */
async function createSingly(caller: Caller): Promise<number> {
  const begun = performance.now();
  for (let index = 0; index < entries; index++) {
    const body = { title: `Entry ${index}`, memoryType: "EVENT", originalContent: textOf(index) };
    const { status, text } = await caller.call("POST", "/api/v2/memory/texts", {
      body,
      key: ulid(),
    });
    if (status !== 201) throw new Error(text);
  }
  return (performance.now() - begun) / 1000;
}

/** Samples of the memory and of the time of a read, until `end`. */
class Probe {
  readonly times: number[] = [];
  peak = 0;
  #isRunning = true;
  readonly #done: Promise<void>;

  constructor(caller: Caller, pid: number) {
    this.#done = this.#run(caller, pid);
  }

  async #run(caller: Caller, pid: number): Promise<void> {
    while (this.#isRunning) {
      const begun = performance.now();
      await caller.call("GET", "/api/v2/memory/texts?limit=1");
      this.times.push(performance.now() - begun);
      if (this.times.length % 8 === 0) {
        this.peak = Math.max(this.peak, await residentMegabytes(pid));
      }
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await this.#done;
  }
}

const dataDir = await Deno.makeTempDir({ prefix: "prs-bench-" });
await using opened = new AsyncDisposableStack();
opened.defer(() => Deno.remove(dataDir, { recursive: true }));
const env: Record<string, string> = { PORT: "0", DATA_DIR: dataDir };
if (values.postgres) {
  const cluster = await startCluster({ durable: true });
  if (cluster === null) throw new Error("There is no PostgreSQL on this machine");
  opened.defer(() => cluster.stop());
  const made = await createServerDatabase({ empty: true, clusterUrl: cluster.url });
  env.DATABASE_URL = made.url;
  env.SERVER_SECRET = "a server secret that only this measurement knows";
}
const server = opened.use(await startServer(env));
const caller = await server.setUp();
const single = await createSingly(caller);
const bytes = journal();
// The garbage of the single writes is not the import's.
await new Promise((resolve) => setTimeout(resolve, 3_000));
const idle = await residentMegabytes(server.pid);
const before = new Probe(caller, server.pid);
await new Promise((resolve) => setTimeout(resolve, BASELINE_MS));
await before.end();
const probe = new Probe(caller, server.pid);
const begun = performance.now();
const { body } = await upload(caller, "day-one", bytes);
const { importId } = body.data;
const { plan } = await untilState(caller, importId, "PLANNED");
const plannedAt = performance.now();
await act(caller, importId, "run", { plan });
const done = await untilState(caller, importId, "DONE");
const end = performance.now();
await probe.end();

const [times, timesBefore] = [probe, before].map((each) =>
  each.times.toSorted((one, other) => one - other)
) as [number[], number[]];
const seconds = (end - begun) / 1000;
const rounded = (value: number) => Math.round(value * 100) / 100;
const figures = {
  engine: values.postgres ? "PostgreSQL" : "built-in",
  entries,
  photos,
  megabytes: rounded(bytes.length / 1024 ** 2),
  new: done.counts.memory.new,
  "single creates, s": rounded(single),
  "import, s": rounded(seconds),
  "of that until the plan, s": rounded((plannedAt - begun) / 1000),
  ratio: rounded(seconds / single),
  "idle, MB": rounded(idle),
  "peak above idle, MB": rounded(probe.peak - idle),
  "other requests, p50 ms": rounded(percentile(times, 0.5)),
  "other requests, p99 ms": rounded(percentile(times, 0.99)),
  "other requests before, p50 ms": rounded(percentile(timesBefore, 0.5)),
  "other requests before, p99 ms": rounded(percentile(timesBefore, 0.99)),
  "ratio of p99": rounded(percentile(times, 0.99) / percentile(timesBefore, 0.99)),
};
for (const [name, value] of Object.entries(figures)) print(`${name}: ${value}`);

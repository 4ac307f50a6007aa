/**
 * Imports whose server is killed again and again: each item comes in once, and the counts are
 * right.
 */

import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { act, IMPORTS, itemsFile, memoryItem, upload } from "../http/imports.ts";
import { createInstallation } from "../support/installation.ts";
import { seededRandom } from "../support/random.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { tar } from "../support/tar_writer.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";
import { zip } from "../support/zip.ts";

/** The contract's 200 moments take minutes; `IMPORT_KILLS` sets how many. */
const KILLS = Number(Deno.env.get("IMPORT_KILLS") ?? 2);
/** Several transactions: 10, then 50 to 100 items each. */
const ITEMS = 160;
const POLL_MS = 20;
const SEED = 20_261_125;

interface SentFile {
  readonly format: string;
  readonly bytes: string | Uint8Array;
  readonly titles: readonly string[];
  readonly mapping?: Json;
}

const MAPPING = {
  target: "memory",
  columns: { Title: ["@title", "originalContent"] },
  constants: { memoryType: "EVENT", timePrecision: "UNKNOWN" },
};

/**
 * Items in a file, then in a tar in gzip, then days of a vault whose notes are in a part, then a
 * journal with a photo for each entry, then a table in gzip.
 */
function fileOf(batch: number): SentFile {
  if (batch % 5 === 2) return vaultOf(batch);
  if (batch % 5 === 3) return journalOf(batch);
  if (batch % 5 === 4) return tableOf(batch);
  const items = Array.from({ length: ITEMS }, (_, index) =>
    memoryItem(`k${batch}-${index}`, {
      tags: [`Tag ${index % 7}`],
      archived: index % 50 === 0,
    }));
  const titles = items.map(({ title }) => title);
  const file = itemsFile(items);
  const packed = () => gzipSync(tar([{ name: "items.jsonl", content: file }]));
  return { format: "prs-items", bytes: batch % 5 === 0 ? file : packed(), titles };
}

function vaultOf(batch: number): SentFile {
  const titles = Array.from({ length: ITEMS }, (_, index) => {
    const day = new Date(Date.UTC(2000 + batch, 0, 1 + index));
    return day.toISOString().slice(0, 10);
  });
  const part = zip(titles.map((title) => ({ name: `${title}.md`, content: `Day ${title}` })));
  const bytes = gzipSync(tar([{ name: "E-Part-1.zip", content: part }]));
  return { format: "markdown", bytes, titles };
}

function journalOf(batch: number): SentFile {
  const titles = titlesOf(batch);
  const entries = titles.map((text, index) => ({
    uuid: `${batch}-${index}`,
    text,
    photos: [{ identifier: `P${index}`, md5: `md5of${index}` }],
  }));
  const photos = titles.map((content, index) => ({ name: `photos/md5of${index}.png`, content }));
  const journal = { name: "Journal.json", content: JSON.stringify({ entries }) };
  return { format: "day-one", bytes: zip([journal, ...photos]), titles };
}

function tableOf(batch: number): SentFile {
  const titles = titlesOf(batch);
  const bytes = gzipSync(["Title", ...titles].join("\n"));
  return { format: "csv", bytes, titles, mapping: MAPPING };
}

function titlesOf(batch: number): string[] {
  return Array.from({ length: ITEMS }, (_, index) => `Title ${batch} ${index}`);
}

/** Waits for an import's end, and starts its run once it is planned. */
async function finish(
  caller: Caller,
  importId: string,
  { mapping }: Pick<SentFile, "mapping">,
): Promise<Json> {
  while (true) {
    const { body: { data } } = await caller.call("GET", `${IMPORTS}/${importId}`);
    if (data.state === "DONE") return data;
    if (data.state === "PLANNED" && mapping !== undefined && data.mapping === null) {
      await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body: mapping });
    } else if (data.state === "PLANNED") {
      assertEquals((await act(caller, importId, "run", { plan: data.plan })).status, 202);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * The same, or null if the server was killed after `life`; `life` is null for a server that lives
 * on.
 */
async function finishWithin(
  life: number | null,
  server: ServerProcess,
  caller: Caller,
  importId: string,
  file: SentFile,
): Promise<Json | null> {
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    server.kill("SIGKILL");
  };
  const timer = life === null ? undefined : setTimeout(kill, life);
  try {
    const done = await finish(caller, importId, file);
    return isKilled ? null : done;
  } catch (error) {
    // A broken connection is a TypeError of `fetch`.
    if (isKilled && error instanceof TypeError) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("Imports go on after each kill, and bring every key in once", async () => {
  await using installation = await createInstallation();
  const random = seededRandom(SEED);
  const owner = await installation.settle();
  let server = await startServer(installation.env);
  let caller = callerOf(server.app, owner);
  const titles: string[] = [];
  let batch = 0;
  const begin = async () => {
    const file = fileOf(batch++);
    titles.push(...file.titles);
    const { body } = await upload(caller, file.format, file.bytes, { name: `Batch ${batch}` });
    return { file, importId: body.data.importId };
  };
  const began = performance.now();
  const first = await begin();
  await finish(caller, first.importId, first.file);
  const length = performance.now() - began;
  for (let kills = 0; kills < KILLS;) {
    const { file, importId } = await begin();
    let done: Json | null = null;
    while (done === null) {
      // At most half the length of an import, so that a resumed import is killed again.
      const life = kills < KILLS ? random.integer(0, Math.ceil(length / 2)) : null;
      done = await finishWithin(life, server, caller, importId, file);
      if (done !== null) break;
      kills++;
      await server.ended;
      server = await startServer(installation.env);
      caller = callerOf(server.app, owner);
    }
    assertEquals(done.done, ITEMS);
    assertEquals(done.counts, { memory: { new: ITEMS, unchanged: 0, changed: 0, refused: 0 } });
  }
  await using _last = server;
  await waitUntil("the files of ended imports are removed", async () => {
    const left = await Array.fromAsync(Deno.readDir(`${installation.dataDir}/imports`));
    return left.every(({ name }) => name === "owners");
  });
  assertEquals((await storedTitles(caller)).sort(), titles.sort());
  const tags = await caller.call("GET", "/api/v2/taxonomy/tags");
  assertEquals(tags.body.data.items.length, 7);
});

async function storedTitles(caller: Caller): Promise<string[]> {
  const titles: string[] = [];
  for (let cursor = "";;) {
    const query = `archived=include&limit=100${cursor}`;
    const { body: { data } } = await caller.call("GET", `/api/v2/memory/texts?${query}`);
    titles.push(...data.items.map(({ title }: Json) => title));
    if (data.nextCursor === null) return titles;
    cursor = `&cursor=${data.nextCursor}`;
  }
}

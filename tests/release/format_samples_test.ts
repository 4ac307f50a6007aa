// engines: embedded

/**
 * Public samples of other products in further formats: `auto` recognizes each, Python finds the
 * same numbers of items and files in it, and a repeat brings nothing; under any other format it
 * is refused or read in peace. Ignored if `IMPORT_SAMPLES` does not name a folder with a folder
 * `repositories` of clones, which `format_samples.ts` lists.
 */

import { assert, assertEquals } from "@std/assert";
import { CONVERTERS } from "../../src/imports/converters/converters.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { act, IMPORTS, ran, settled, upload } from "../http/imports.ts";
import { zip } from "../support/zip.ts";
import { allItems, linkedDigests } from "./imported_samples.ts";
import { EXCEPTIONS, type SampleRow, SAMPLES as ROWS } from "./format_samples.ts";

const world = sharedWorld();
const FOLDER = Deno.env.get("IMPORT_SAMPLES");
const COUNTER = new URL("readers/count_items.py", import.meta.url).pathname;

interface Sample {
  readonly row: SampleRow;
  /** Below the folder of repositories. */
  readonly name: string;
  /** The path of the file, or of the archive of the folder. */
  readonly path: string;
}

interface Count {
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly string[];
  readonly refused: readonly string[];
}

/** All files and folders below a folder, in order. */
function* pathsBelow(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].toSorted((one, other) =>
    one.name < other.name ? -1 : 1
  );
  for (const { name, isDirectory } of entries) {
    yield name;
    if (!isDirectory) continue;
    for (const path of pathsBelow(`${folder}/${name}`)) yield `${name}/${path}`;
  }
}

function samplesOf(row: SampleRow, archives: string): Sample[] {
  const root = `${FOLDER}/repositories/${row.repository}`;
  const { isFolder = false } = row;
  const paths = [...pathsBelow(root)].filter((path) =>
    row.paths.test(path) && Deno.statSync(`${root}/${path}`).isDirectory === isFolder
  );
  assert(paths.length > 0, row.repository);
  return paths.map((path) => {
    const name = `${row.repository}/${path}`;
    if (!isFolder) return { row, name, path: `${root}/${path}` };
    const archive = `${archives}/${name.replaceAll("/", "+")}.zip`;
    Deno.writeFileSync(archive, zipped(`${root}/${path}`));
    return { row, name, path: archive };
  });
}

function zipped(folder: string): Uint8Array {
  const top = folder.slice(folder.lastIndexOf("/") + 1);
  const files = [...pathsBelow(folder)].filter((path) => Deno.statSync(`${folder}/${path}`).isFile);
  return zip(files.map((path) => {
    return { name: `${top}/${path}`, content: Deno.readFileSync(`${folder}/${path}`) };
  }));
}

/** Null for a file that is not an export. */
async function countsOf(samples: readonly Sample[]): Promise<readonly (Count | null)[]> {
  const lines = samples.map(({ row, path }) => `${row.counter ?? row.format}\t${path}\n`);
  const python = new Deno.Command("python3", {
    args: ["-I", COUNTER],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const written = new Blob(lines).stream().pipeTo(python.stdin);
  const { stdout, success } = await python.output();
  await written;
  assert(success);
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

/** Parts of a file that are counted instead of becoming an item. */
const COUNTED: Readonly<Record<string, string>> = {
  "item.repeated": "items",
  "ical.superseded": "items",
  "note.trashed": "items",
  "textbundle.type": "items",
  "visit": "items",
  "visit.no_place": "items",
  "visit.no_time": "items",
  "mood": "moods",
};
const CELLS = ["NO", "SKIP", "UNKNOWN", "YES_AUTO"];

/** The kind of an item by its key. */
function kindOf({ key }: Json, format: string): string {
  if (format === "apple-health") return key.split(":")[0];
  if (key.includes("#task:")) return "tasks";
  if (key.endsWith("#reminder")) return "reminders";
  if (key.endsWith("#mood")) return "moods";
  return key.startsWith("trip:") ? "trips" : "items";
}

function found(items: readonly Json[], { format, unmapped }: Json): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (kind: string, count: number) => counts[kind] = (counts[kind] ?? 0) + count;
  for (const item of items) if (!/#part\d+$/.test(item.key)) add(kindOf(item, format), 1);
  for (const { name, count } of unmapped) {
    const kind = format === "csv" && CELLS.includes(name) ? "items" : COUNTED[name];
    if (kind !== undefined) add(kind, count);
  }
  return counts;
}

async function planOf(caller: Caller, { path, row }: Sample, format: string): Promise<Json> {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const bytes = await Deno.readFile(path);
  const { status, body } = await upload(caller, format, bytes, { name, keepOriginal: "false" });
  if (status !== 201) return { status, looksLike: body.error.details?.looksLike };
  const { importId } = body.data;
  const read = await settled(caller, importId);
  if (row.mapping === undefined || format !== "auto") return read;
  const put = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body: row.mapping });
  assertEquals(put.status, 200, JSON.stringify(put.body));
  return await settled(caller, importId);
}

/** Imports a sample by its recognized format, and again. Returns facts of both. */
async function imported(caller: Caller, sample: Sample): Promise<Json> {
  const plan = await planOf(caller, sample, "auto");
  if (plan.state !== "PLANNED") return { refusal: plan.refusal?.rule ?? plan.status };
  const done = await ran(caller, plan);
  const items = await allItems(caller, done.importId);
  const again = await planOf(caller, sample, "auto");
  await act(caller, again.importId, "discard");
  const changes = Object.values<Json>(again.counts).map((of) => of.new + of.changed);
  return {
    format: done.format,
    looksLike: done.looksLike,
    changes: changes.reduce((sum, count) => sum + count, 0),
    counts: found(items, done),
    files: [...await linkedDigests(caller, items)].toSorted(),
    refused: items.flatMap(({ outcome, rules }) => outcome === "REFUSED" ? rules : []),
  };
}

/** Reads a sample under every other format; returns those that fail or do not see the right one. */
async function faultsOfOthers(caller: Caller, sample: Sample): Promise<Json> {
  const faults: Json = {};
  const { row } = sample;
  for (const format of ["auto", ...CONVERTERS.map(({ format }) => format)]) {
    if (format === row.format || (format === "auto" && row.format !== null)) continue;
    const plan = await planOf(caller, sample, format);
    const isRead = plan.state === "PLANNED" || plan.state === "REFUSED" || plan.status === 415;
    const isFailed = ["import.failed", "import.budget"].includes(plan.refusal?.rule);
    const isSeen = row.format === null || plan.looksLike?.includes(row.format);
    if (!isRead || isFailed || !isSeen) faults[format] = plan;
    if (plan.state === "PLANNED") await act(caller, plan.importId, "discard");
  }
  return faults;
}

async function assertSample(sample: Sample, count: Count | null): Promise<void> {
  const { row, name } = sample;
  const caller = await world().createCaller();
  if (row.format !== null) {
    const plain = { format: row.format, looksLike: [], changes: 0, ...count };
    const exception = EXCEPTIONS[name] ?? {};
    const expected = exception.refusal === undefined ? { ...plain, ...exception } : exception;
    const found = await imported(caller, sample);
    const names = Object.keys(expected);
    assertEquals(Object.fromEntries(names.map((name) => [name, found[name]])), expected);
  }
  assertEquals(await faultsOfOthers(caller, sample), {});
}

for (const row of ROWS) {
  const { repository, format, counter, mapping } = row;
  Deno.test({
    name: `Samples of ${repository} as ${mapping?.preset ?? format ?? "no format"}`,
    ignore: FOLDER === undefined,
    async fn(context) {
      const archives = await Deno.makeTempDir();
      const samples = samplesOf(row, archives);
      const counts = counter === null ? [] : await countsOf(samples);
      for (const [index, sample] of samples.entries()) {
        const count = counts[index] ?? null;
        if (count === null && counter !== null) continue;
        await context.step(sample.name, () => assertSample(sample, count));
      }
      await Deno.remove(archives, { recursive: true });
    },
  });
}

/**
 * Runs cases of imports: small files as people have them, each with the right result. A case is a
 * folder with its inputs and `expected.json`, whose members `ExpectedStep` and `ExpectedItem` name.
 */

import { assert, assertEquals } from "@std/assert";
import type { Caller, Json, World } from "../support/world.ts";
import { act, IMPORTS, itemsOf, ran, settled, upload } from "./imports.ts";

interface ExpectedItem {
  readonly place?: number;
  readonly key?: string;
  readonly entry?: string | null;
  readonly target?: string;
  readonly outcome?: string;
  readonly rules?: readonly string[];
  readonly unmapped?: readonly string[];
  readonly title?: string;
  /** The main text; `{1}` is the identifier of the first file. */
  readonly text?: string;
  readonly textSha256?: string;
  readonly tags?: readonly string[];
  readonly files?: readonly Json[];
  readonly record?: Json;
}

interface ExpectedStep {
  readonly input: string;
  readonly format: string;
  readonly name: string | null;
  readonly mapping: string | null;
  readonly state?: string;
  readonly error?: { readonly status: number; readonly rule: string };
  readonly refusal?: Json;
  readonly detail?: Json;
  readonly counts?: Json;
  readonly rules?: Json;
  readonly unmapped?: Json;
  readonly items?: readonly ExpectedItem[];
  readonly again?: Json;
}

/** Defines a test for each case of a folder. */
export function defineCases(cases: URL, world: () => World): void {
  for (const name of [...Deno.readDirSync(cases)].map(({ name }) => name).toSorted()) {
    const folder = new URL(`${name}/`, cases);
    const { about } = JSON.parse(Deno.readTextFileSync(new URL("expected.json", folder)));
    Deno.test(`${name}: ${about}`, async () => {
      await runCase(await world().createCaller(), folder);
    });
  }
}

/** Runs the steps of a case. */
async function runCase(caller: Caller, folder: URL): Promise<void> {
  const { steps } = JSON.parse(await Deno.readTextFile(new URL("expected.json", folder)));
  for (const step of steps as readonly ExpectedStep[]) await runStep(caller, folder, step);
}

async function runStep(caller: Caller, folder: URL, step: ExpectedStep): Promise<void> {
  const plan = await planStep(caller, folder, step);
  if (plan === null) return;
  const isRun = step.state === "DONE";
  const done = isRun ? await ran(caller, plan) : plan;
  assertEquals(done.state, step.state);
  assertMembers(done.refusal, step.refusal, "refusal");
  assertMembers(done, step.detail, "detail");
  if (step.counts !== undefined) assertEquals(sums(done.counts), fill(step.counts), "counts");
  if (step.rules !== undefined) {
    const isFree = (rule: string) => rule === "import.looks_like" && !step.detail?.looksLike;
    const rules = done.rules.filter(({ rule }: Json) => !isFree(rule))
      .map(({ rule, count }: Json) => [rule, count]);
    assertEquals(Object.fromEntries(rules), step.rules, "rules");
  }
  if (step.unmapped !== undefined) {
    const names = done.unmapped.map(({ name, count }: Json) => [name, count]);
    assertEquals(Object.fromEntries(names), step.unmapped, "unmapped");
  }
  if (step.items !== undefined) await assertItems(caller, done.importId, step.items);
  if (step.again !== undefined) {
    const again = await planStep(caller, folder, step);
    assertMembers(sums(again.counts), step.again, "again");
    await act(caller, again.importId, "discard");
  }
}

/** Uploads the file of a step, with its mapping. Null if the step ends with an expected error. */
async function planStep(caller: Caller, folder: URL, step: ExpectedStep): Promise<Json> {
  const bytes = await Deno.readFile(new URL(step.input, folder));
  const query = { keepOriginal: "false", ...(step.name !== null && { name: step.name }) };
  const sent = await upload(caller, step.format, bytes, query);
  if (step.state?.startsWith("upload")) return assertError(sent, step);
  assertEquals(sent.status, 201, JSON.stringify(sent.body));
  const { importId } = sent.body.data;
  const read = await settled(caller, importId);
  if (step.mapping === null) return read;
  const mapping = JSON.parse(await Deno.readTextFile(new URL(step.mapping, folder)));
  const put = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body: mapping });
  if (step.state?.startsWith("mapping")) {
    assertError(put, step);
    await act(caller, importId, "discard");
    return null;
  }
  assertEquals(put.status, 200, JSON.stringify(put.body));
  return await settled(caller, importId);
}

function assertError({ status, body }: Json, { error }: ExpectedStep): null {
  assertEquals(status, error?.status, JSON.stringify(body));
  assert(body.error.details.rules.includes(error?.rule), JSON.stringify(body));
  return null;
}

/** The counts of all targets together. */
function sums(counts: Json): Json {
  const all = { new: 0, unchanged: 0, changed: 0, refused: 0 };
  for (const of of Object.values<Json>(counts)) {
    for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += of[name];
  }
  return all;
}

function fill(counts: Json): Json {
  return { new: 0, unchanged: 0, changed: 0, refused: 0, ...counts };
}

async function assertItems(
  caller: Caller,
  importId: string,
  expected: readonly ExpectedItem[],
): Promise<void> {
  const items = await Promise.all(
    (await itemsOf(caller, importId)).map((item) => describeItem(caller, item)),
  );
  const left = [...items];
  for (const each of expected) {
    const problems = left.map((item) => problemOf(each, item));
    const found = problems.indexOf(null);
    if (found === -1) {
      throw new Error(`No item is as expected:\n${JSON.stringify(each)}\n${problems.join("\n")}`);
    }
    left.splice(found, 1);
  }
  assertEquals(left.map(({ item }) => item.key), [], "further items");
}

interface DescribedItem {
  readonly item: Json;
  readonly record: Json;
  readonly tags: readonly string[];
  readonly files: readonly Json[];
}

async function describeItem(caller: Caller, item: Json): Promise<DescribedItem> {
  const { recordId, target } = item;
  if (recordId === null) return { item, record: null, tags: [], files: [] };
  const get = async (path: string) => (await caller.call("GET", path)).body.data;
  const record = await get(pathOf(target, recordId));
  const { items: tags } = await get(
    `/api/v2/taxonomy/assignments?moduleCode=${moduleOf(target)}&recordId=${recordId}&limit=100`,
  );
  const files = await Promise.all(
    item.attachmentIds.map((id: string) => get(`/api/v2/attachments/${id}`)),
  );
  return { item, record, tags: tags.map(({ name }: Json) => name.toLowerCase()), files };
}

function pathOf(target: string, id: string): string {
  if (target === "memory") return `/api/v2/memory/texts/${id}`;
  if (target === "person") return `/api/v2/relationship/people/${id}`;
  return target === "tag" ? `/api/v2/taxonomy/tags/${id}` : `/api/v2/records/${target}/${id}`;
}

function moduleOf(target: string): string {
  return { person: "relationship", tag: "taxonomy" }[target] ?? target;
}

/** The first difference of an item from the expected one; null without one. */
function problemOf(expected: ExpectedItem, described: DescribedItem): string | null {
  try {
    assertItem(expected, described);
    return null;
  } catch (error) {
    return `${described.item.key}: ${(error as Error).message}`;
  }
}

function assertItem(expected: ExpectedItem, { item, record, tags, files }: DescribedItem): void {
  const { place, key, entry, target, outcome, title, text } = expected;
  assertMembers(item, defined({ place, key, entry, target, outcome }), "item");
  if (expected.rules) assertEquals(item.rules.toSorted(), expected.rules.toSorted(), "rules");
  if (expected.unmapped) {
    assertEquals(item.unmapped.toSorted(), expected.unmapped.toSorted(), "unmapped");
  }
  if (title !== undefined) assertEquals(record.title ?? record.personName, title);
  if (expected.tags) {
    const names = expected.tags.map((name) => name.toLowerCase());
    assertEquals(tags.toSorted(), names.toSorted(), "tags");
  }
  const ids = expected.files === undefined ? [] : assertFiles(expected.files, files);
  const whole = JSON.stringify(record);
  const isUnlinked = item.rules.includes("attachment.unlinked");
  for (const id of ids) assert(isUnlinked || whole.includes(id), "a file is not in the record");
  const withIds = (value: Json) => replaceIds(value, ids);
  if (text !== undefined) assertEquals(textOf(record), withIds(text));
  assertMembers(record, withIds(expected.record), "record", record?.createdAt);
}

/** Compares files by their stated members; returns the identifiers in the expected order. */
function assertFiles(expected: readonly Json[], files: readonly Json[]): string[] {
  const left = [...files];
  return expected.map((wanted) => {
    const found = left.findIndex((file) =>
      Object.entries(wanted).every(([name, value]) => file[name] === value)
    );
    assert(found !== -1, `no file ${JSON.stringify(wanted)} among ${JSON.stringify(left)}`);
    return left.splice(found, 1)[0].attachmentId;
  });
}

function replaceIds(value: Json, ids: readonly string[]): Json {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value).replaceAll(/\{(\d)\}/g, (whole, digit) => {
    return ids[Number(digit) - 1] ?? whole;
  });
  return JSON.parse(text);
}

function textOf({ originalContent, payload }: Json): string {
  return originalContent ?? payload.originalContent ?? payload.snapshot;
}

function defined(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Compares the stated members, also of inner objects. */
function assertMembers(actual: Json, expected: Json, path: string, createdAt?: string): void {
  if (expected === undefined) return;
  if (expected === "{set}") return assert(actual !== null && actual !== undefined, path);
  if (expected === "{createdAt}") return assertEquals(actual, createdAt, path);
  const isObject = typeof expected === "object" && expected !== null && !Array.isArray(expected);
  if (!isObject) return assertEquals(actual ?? null, expected, path);
  for (const [name, value] of Object.entries(expected)) {
    assertMembers(actual?.[name], value, `${path}.${name}`, createdAt);
  }
}

/** The list compared with a plain filter and sort. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { CatalogModule, Field } from "../../src/catalog/module.ts";
import type { JsonValue } from "../../src/core/json.ts";
import { uploaded } from "../support/attachments.ts";
import { randomPayload } from "../support/payloads.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type JsonRecord, type World } from "../support/world.ts";
import { pathOf, walkPages } from "./kernel.ts";

const shared = fileWorld();

/** The newest revision's id orders by change. */
interface Listed {
  readonly record: JsonRecord;
  readonly revisionId: string;
}

interface Query {
  readonly parameters: Readonly<Record<string, string>>;
  readonly matches: (listed: Listed) => boolean;
}

const MODULES = ["commitment", "ai-agent", "routine"];

Deno.test("GET list walks random records as the model does, without gaps or repetitions", async () => {
  const world = shared();
  for (const [index, code] of MODULES.entries()) {
    const module = CATALOG.module(code);
    assert(module !== undefined);
    const random = seededRandom(index + 1);
    const caller = await world.createCaller();
    const records = await makeRecords(world, caller, module, random);
    for (let run = 0; run < 15; run++) {
      const { parameters, matches } = randomQuery(module, records, random);
      const label = `${code}, seed ${index + 1}, run ${run}: ${new URLSearchParams(parameters)}`;
      const pages = await walkPages(caller, `/api/v2/records/${code}`, parameters);
      const expected = inOrder(records.filter(matches), parameters.sort ?? "-createdAt");
      assertEquals(pages.flat(), expected.map(({ record }) => record), label);
      // Only full pages with more rows have a next page.
      const limit = Number(parameters.limit);
      assertEquals(pages.length, Math.max(1, Math.ceil(expected.length / limit)), label);
      for (const page of pages.slice(0, -1)) assertEquals(page.length, limit, label);
    }
  }
});

Deno.test("GET list writes each record byte for byte as its own route does", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const random = seededRandom(5);
  const textOf = async (path: string) => {
    const { text } = await caller.call("GET", path, { headers: { "X-Request-Id": "fixed-id" } });
    return text;
  };
  const attachmentIds = [await uploaded(caller, "A file")];
  for (const module of CATALOG.modules.filter(({ access: entry }) => entry === "GENERIC")) {
    const records: JsonRecord[] = [];
    for (let count = 0; count < 3; count++) {
      world.advance(random.pick([1, 10, 1_000]));
      const payload = randomPayload(module, random, { now: world.now(), attachmentIds });
      records.push(await caller.create(module.code, payload, random.text(1, 60)));
    }
    const [changed, archived] = records.map(pathOf);
    const body = { summary: `${random.text(2, 60)}\n\t"\\\u2028` };
    assertEquals((await caller.call("PATCH", changed ?? "", { body })).status, 200);
    assertEquals((await caller.call("POST", `${archived}/archive`)).status, 200);
    const own = await Promise.all(records.toReversed().map((record) => textOf(pathOf(record))));
    const [begin, end] = ['{"data":', ',"meta":{"requestId":"fixed-id"}}'];
    const items = own.map((text) => text.slice(begin.length, -end.length));
    assertEquals(
      await textOf(`/api/v2/records/${module.code}?archived=include`),
      `${begin}{"items":[${items.join(",")}],"nextCursor":null}${end}`,
    );
  }
});

async function makeRecords(
  world: World,
  caller: Caller,
  module: CatalogModule,
  random: Random,
): Promise<Listed[]> {
  const records: JsonRecord[] = [];
  for (let count = 0; count < 30; count++) {
    // Some records share a millisecond.
    world.advance(random.integer(0, 2));
    const payload = randomPayload(module, random, { now: world.now() });
    records.push(await caller.create(module.code, payload, `Record ${count}`));
  }
  for (let count = 0; count < 30; count++) {
    world.advance(random.integer(0, 2));
    const index = random.integer(0, records.length - 1);
    const path = pathOf(records[index]);
    const response = random.chance(0.5)
      ? await caller.call("PATCH", path, { body: { summary: `Change ${count}` } })
      : await caller.call("POST", `${path}/${random.pick(["archive", "restore"])}`);
    records[index] = response.body.data;
  }
  const roots = await world.rows(
    `select record_id, revision_id from records where owner_id = '${caller.accountId}'`,
  );
  const revisionIds = new Map(roots.map((root) => [root.record_id, root.revision_id]));
  return records.map((record) => ({ record, revisionId: revisionIds.get(record.recordId) }));
}

function inOrder(records: readonly Listed[], sort: string): Listed[] {
  const key = ({ record, revisionId }: Listed) =>
    sort.endsWith("createdAt") ? record.recordId : revisionId;
  const sign = sort.startsWith("-") ? -1 : 1;
  return records.toSorted((a, b) => key(a) < key(b) ? -sign : sign);
}

function randomQuery(module: CatalogModule, records: readonly Listed[], random: Random): Query {
  const parameters: Record<string, string> = { limit: String(random.integer(1, 15)) };
  const conditions: ((record: JsonRecord) => boolean)[] = [];
  if (random.chance(0.8)) {
    parameters.sort = random.pick(["createdAt", "-createdAt", "updatedAt", "-updatedAt"]);
  }
  const archived = random.pick(["exclude", "only", "include"]);
  if (archived !== "exclude" || random.chance(0.3)) parameters.archived = archived;
  if (archived !== "include") {
    conditions.push((record) => (record.archivedAt !== null) === (archived === "only"));
  }
  for (const time of ["created", "updated"]) {
    const at = () => random.pick(records).record[`${time}At`];
    if (random.chance(0.25)) {
      const from = parameters[`${time}From`] = at();
      conditions.push((record) => record[`${time}At`] >= from);
    }
    if (random.chance(0.25)) {
      const to = parameters[`${time}To`] = at();
      conditions.push((record) => record[`${time}At`] < to);
    }
  }
  for (let count = random.integer(0, 2); count > 0; count--) {
    const { name, value, matches } = randomFilter(module, records, random);
    if (parameters[name] !== undefined) continue;
    parameters[name] = value;
    conditions.push(matches);
  }
  return { parameters, matches: ({ record }) => conditions.every((holds) => holds(record)) };
}

function randomFilter(module: CatalogModule, records: readonly Listed[], random: Random) {
  const edits = ["select", "boolean", "text", "tags", "number", "datetime"];
  const field = random.pick(
    module.fields.filter((each) => !each.sensitive && edits.includes(each.edit)),
  );
  const value = randomValue(field, records, random);
  const ordered = field.edit === "number" || field.edit === "datetime";
  const comparison = ordered ? random.pick(["", "[gte]", "[lte]"]) : "";
  return {
    name: `filter[${field.name}]${comparison}`,
    value: String(value),
    matches: (record: JsonRecord) => {
      const stored = record.payload[field.name];
      if (stored === undefined) return false;
      if (comparison === "[gte]") return stored >= value;
      if (comparison === "[lte]") return stored <= value;
      return field.edit === "tags" ? stored.includes(value) : stored === value;
    },
  };
}

/** Existing, or probably missing. */
function randomValue(
  field: Field,
  records: readonly Listed[],
  random: Random,
): string | number | boolean {
  const stored: JsonValue | undefined = random.pick(records).record.payload[field.name];
  const taken = Array.isArray(stored) ? stored[0] : stored;
  if (taken !== undefined && taken !== null && typeof taken !== "object") return taken;
  switch (field.edit) {
    case "select":
      return random.pick(field.options ?? []);
    case "boolean":
      return random.chance(0.5);
    case "number":
      return random.integer(-5, 5);
    case "datetime":
      return "2020-01-01T00:00:00.000Z";
    default:
      return random.text(0, 5);
  }
}

/**
 * Record values in errors, log lines, envelopes and audit entries, for every generic module. Only
 * successes for the owner and `records`, `record_revisions` and `executions` may have them.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { FIELD_LIMITS } from "../../src/catalog/field_types.ts";
import type { CatalogModule, Field } from "../../src/catalog/module.ts";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { uploaded } from "../support/attachments.ts";
import { Markers } from "../support/markers.ts";
import { randomPayload } from "../support/payloads.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, fileWorld } from "../support/world.ts";

const world = fileWorld();

const GENERIC = CATALOG.modules.filter(({ access: entry }) => entry === "GENERIC");

/** Valid, with a marker in every free text. */
function markedPayload(
  module: CatalogModule,
  attachmentIds: readonly string[],
  markers: Markers,
): JsonObject {
  const payload = fullestPayload(module, attachmentIds);
  for (const field of module.fields) {
    const { name, edit } = field;
    const value = payload[name];
    if (value === undefined) continue;
    if (edit === "datetime") {
      payload[name] = `${value}[${markers.zone("a zone")}]`;
      continue;
    }
    const marker = markers.make(`${module.code}.${name}`);
    if (edit === "textarea") payload[name] = `${value} ${marker}`;
    else if (edit === "json") payload[name] = { [marker]: [marker] };
    else if (edit === "tags" && !takesIdentifiers(field)) payload[name] = [marker];
    else if (edit === "text" && isFreeText(module, field)) payload[name] = marker;
  }
  return payload;
}

/** Fields exclude each other: chooses the payload with the most. */
function fullestPayload(module: CatalogModule, attachmentIds: readonly string[]): JsonObject {
  const options = { now: world().now(), optional: 1, attachmentIds };
  const random = seededRandom(51);
  const payloads = Array.from({ length: 20 }, () => randomPayload(module, random, options));
  return payloads.reduce((fullest, payload) =>
    Object.keys(payload).length > Object.keys(fullest).length ? payload : fullest
  );
}

/** Tags with identifiers. */
function takesIdentifiers({ name }: Field): boolean {
  return name.endsWith("Ids");
}

/** Whether rules constrain the text. */
function isFreeText(module: CatalogModule, { name, attachment }: Field): boolean {
  return attachment !== true && !module.rules.some(({ fields }) => fields.includes(name));
}

/** Invalid values with markers. */
function refusedValues(field: Field, marker: () => string): JsonValue[] {
  const clocks = [`+00:00[Mars/${marker()}]`, "+01:00[Etc/GMT-11]"];
  const nested = [{ [marker()]: marker() }, [[marker()]], [{ a: marker() }]];
  switch (field.edit) {
    case "text":
      return [...nested, `${marker()}\u0000`, longerThan(FIELD_LIMITS.textLength, marker())];
    case "textarea":
      return [...nested, `${marker()}\u0000`, longerThan(FIELD_LIMITS.textareaLength, marker())];
    case "tags":
      return [...nested, marker(), [marker().repeat(10)], [marker(), 7], [`${marker()}\n`]];
    case "json":
      return [marker(), { password: marker() }, { a: { __proto__: 1, token: marker() } }];
    case "datetime":
      return [...nested, marker(), ...clocks.map((clock) => `2026-01-01T00:00:00${clock}`)];
    default:
      return [...nested, marker(), [marker()]];
  }
}

function longerThan(limit: number, word: string): string {
  return word.repeat(Math.ceil((limit + 1) / word.length));
}

/** Bodies with the reason for their rejection. */
function* refusedBodies(
  module: CatalogModule,
  payload: JsonObject,
  markers: Markers,
): Generator<[string, JsonValue]> {
  const marker = () => markers.make(`a refused value of ${module.code}`);
  const title = marker();
  for (const field of module.fields) {
    for (const value of refusedValues(field, marker)) {
      yield [field.name, { title, payload: { ...payload, [field.name]: value } }];
    }
    yield [`${field.name} null`, { title, payload: { ...payload, [field.name]: null } }];
    if (!field.required) continue;
    const { [field.name]: _, ...rest } = payload;
    yield [`${field.name} left out`, { title, payload: rest }];
  }
  yield ["an undeclared field", { title, payload: { ...payload, [marker()]: marker() } }];
  yield ["an undeclared key", { title, payload, [marker()]: marker() }];
  yield ["an owner", { title, payload, ownerId: marker() }];
  yield ["an overlong title", { title: marker().repeat(20), payload }];
  yield ["a controlling title", { title: `${marker()}\n`, payload }];
  yield ["a title of another type", { title: [marker()], payload }];
  yield ["an overlong summary", { title, summary: marker().repeat(100), payload }];
  yield ["a payload of another type", { title, payload: marker() }];
  yield ["an expected revision", { title, payload, expectedRevision: marker() }];
  yield ["a body of another type", [marker()]];
}

for (const [index, module] of GENERIC.entries()) {
  // The rules of one change, and requests without a payload's values, are alike for all.
  const isFirst = index === 0;
  Deno.test(`Errors about ${module.code} reveal none of its values`, async () => {
    const caller = await world().createCaller();
    const markers = new Markers();
    const payload = markedPayload(module, [await uploaded(caller, "a file")], markers);
    const title = markers.make("the title");
    const summary = markers.make("the summary");
    const stored = [...markers.in(JSON.stringify([title, summary, payload]))];
    const path = `/api/v2/records/${module.code}`;
    const created = await caller.call("POST", path, {
      key: "the-key",
      body: { title, summary, payload },
    });
    assertEquals(created.status, 201, created.text);
    assertEquals(markers.inResponse(created), stored);
    const record = `${path}/${created.body.data.recordId}`;

    for (const [about, body] of refusedBodies(module, payload, markers)) {
      const asCreation = await caller.call("POST", path, { key: ulid(), body });
      markers.assertTellsNothing(asCreation, `POST with ${about}`);
      if (!isFirst || about.endsWith("left out")) continue;
      const asChange = await caller.call("PATCH", record, { body });
      markers.assertTellsNothing(asChange, `PATCH with ${about}`);
    }
    if (isFirst) await refuseElsewhere(caller, module, record, markers);
    const columns = await markers.assertLedgersTellNothing(world());
    const clocks = stored.includes("a zone");
    assertEquals(Object.keys(columns), [
      "record_order.order_form",
      "record_revisions.title",
      "record_revisions.summary",
      "record_revisions.payload",
      ...(clocks ? ["record_revisions.clocks"] : []),
      "records.title",
      "records.summary",
      "records.payload",
      ...(clocks ? ["records.clocks"] : []),
      "search_index.lexemes",
    ]);
    assertEquals([...new Set(Object.values(columns).flat())].sort(), stored);
  });
}

/** Faults outside the payload. */
async function refuseElsewhere(
  caller: Caller,
  module: CatalogModule,
  record: string,
  markers: Markers,
): Promise<void> {
  const marker = () => markers.make(`a refused request of ${module.code}`);
  const path = `/api/v2/records/${module.code}`;
  const feature = `${record}/features/${module.prefix}-001`;
  const body = { title: marker(), payload: {} };
  const calls: [string, string, JsonValue, string?][] = [
    ["POST", path, body, "the-key"],
    ["PATCH", record, { title: marker(), expectedRevision: 99 }],
    ["PATCH", record, { title: marker(), expectedRevision: marker() }],
    ["PATCH", record, { payloadRemove: [marker()] }],
    ["PATCH", record, { payloadRemove: [marker(), 7] }],
    ["PATCH", record, { payload: { [marker()]: 1 }, payloadRemove: [marker()] }],
    ["PATCH", `${path}/${ulid()}`, { title: marker() }],
    ["PATCH", `${path}/${marker()}`, { title: marker() }],
    ["POST", `${record}/archive`, { reason: marker() }],
    ["POST", `${record}/restore`, { expectedRevision: marker() }],
    ["POST", feature, { input: { [marker()]: marker() } }, marker()],
    ["POST", `${record}/features/${marker()}`, { input: {} }, "k"],
    ["POST", `/api/v2/records/${marker()}`, body, "k"],
  ];
  for (const [method, address, sent, key] of calls) {
    const options = { body: sent, ...(key !== undefined && { key }) };
    markers.assertTellsNothing(await caller.call(method, address, options), `${method} ${address}`);
  }
  const queries = module.fields.map(({ name }) => `filter[${name}][gte]=${marker()}&${marker()}=1`);
  for (const query of [...queries, `cursor=${marker()}`, `sort=${marker()}`, `${marker()}=1`]) {
    markers.assertTellsNothing(await caller.call("GET", `${path}?${query}`), query);
  }
  assert((await caller.call("GET", record)).status === 200);
}

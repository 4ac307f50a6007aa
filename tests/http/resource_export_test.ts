/** RES-008: exports of resources and snapshots. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { type CsvCell, readCsv } from "../support/csv.ts";
import { insertResources } from "../families/resource/crowd.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  tableCounts,
  walkPages,
} from "./kernel.ts";
import { BOSTON, TOKYO } from "./local_times.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";
import {
  keep,
  measure,
  OVERLOAD_ANALYSES,
  RESOURCE_EXPORTS as EXPORTS,
  resourcePath,
} from "../families/resource/api.ts";

const world = sharedWorld();

/** Newest first, as answered. */
interface Kept {
  readonly RESOURCES: readonly Json[];
  readonly SNAPSHOTS: readonly Json[];
}

const HOSTILE: readonly JsonObject[] = [
  { name: "=1+1", notes: "+1\n-1", unit: "@SUM", amount: -1 },
  { name: "'quoted'", notes: "\tTab", unit: "", capacity: 10, available: -10 },
  { name: 'He said "no", twice', notes: "\rReturn\r\nline", unit: "-", level: 0.1 },
  { name: "🚀 Rocket", notes: "", unit: "a,b", amount: 1e-7 },
  { name: "-" },
];

async function keepHostile(caller: Caller): Promise<Kept> {
  const resources: Json[] = [];
  const snapshots: Json[] = [];
  for (const [index, body] of HOSTILE.entries()) {
    world().advance(1);
    const resource = await keep(caller, body);
    const { notes: note = null } = body;
    const figures = { amount: index - 2, ...(note !== null && { note }) };
    const observedAt = index % 2 === 0 ? TOKYO.sent : BOSTON.utc;
    snapshots.unshift(await measure(caller, resource, { ...figures, observedAt }));
    const archived = index % 2 === 0
      ? await done(caller, resourcePath(resource, "/archive"), {})
      : resource;
    resources.unshift(archived);
  }
  return { RESOURCES: resources, SNAPSHOTS: snapshots };
}

function toObject(header: readonly CsvCell[], cells: readonly CsvCell[]): Json {
  const numbers = ["amount", "capacity", "available", "level", "revision", "resourceRevision"];
  return Object.fromEntries(cells.map(({ text, quoted }, column) => {
    const name = header[column]?.text ?? "";
    if (text === "" && !quoted) return [name, null];
    if (numbers.includes(name)) return [name, Number(text)];
    return [name, text.startsWith("'") ? text.slice(1) : text];
  }));
}

function flattened({ localTimes, ...row }: Json): JsonObject {
  if (localTimes === undefined) return row;
  return { ...row, "localTimes.observedAt": localTimes.observedAt ?? null };
}

Deno.test("Both formats have every field of both datasets, their digest and count", async () => {
  const caller = await world().createCaller();
  const kept = await keepHostile(caller);
  const day = world().now().toISOString().slice(0, 10);
  for (const [dataset, rows] of Object.entries(kept)) {
    const [member, file] = dataset === "RESOURCES"
      ? ["resources", "resources"]
      : ["snapshots", "resource-snapshots"];
    for (const format of ["JSON", "CSV"]) {
      const response = await post(caller, EXPORTS, { format, dataset });
      assertEquals(response.status, 201, response.text);
      const { executionId, content, ...others } = response.body.data;
      assertEquals(response.headers.get("Location"), `${EXPORTS}/${executionId}`);
      assertEquals(others, {
        format,
        dataset,
        filename: `${file}-${day}.${format.toLowerCase()}`,
        mediaType: format === "JSON" ? "application/json" : "text/csv; charset=utf-8",
        sha256: sha256Hex(content),
        count: rows.length,
        nextCursor: null,
      });
      assertEquals(
        Object.keys(response.body.data),
        [
          "executionId",
          "format",
          "dataset",
          "filename",
          "mediaType",
          "sha256",
          "count",
          "content",
          "nextCursor",
        ],
      );
      if (format === "JSON") {
        const document = { format: "prs-resource", version: 1, dataset, [member ?? ""]: rows };
        assertEquals(JSON.parse(content), document);
        assertEquals(Object.keys(JSON.parse(content)), Object.keys(document));
      } else {
        const [header = [], ...lines] = readCsv(content);
        const expected = rows.map(flattened);
        assertEquals(header.map(({ text }) => text), Object.keys(expected[0] ?? {}));
        assertEquals(lines.map((cells) => toObject(header, cells)), expected);
      }
    }
  }
  const plain = await done(caller, EXPORTS, { format: "JSON" });
  assertEquals([plain.dataset, JSON.parse(plain.content).resources], ["RESOURCES", kept.RESOURCES]);
});

Deno.test("CSV escapes texts that could begin a formula, but not numbers", async () => {
  const caller = await world().createCaller();
  await keepHostile(caller);
  const { content } = await done(caller, EXPORTS, { format: "CSV" });
  const [header = [], ...lines] = readCsv(content);
  const column = (name: string) => {
    const index = header.findIndex(({ text }) => text === name);
    return lines.toReversed().map((cells) => cells[index]?.text);
  };
  assertEquals(column("name"), [
    "'=1+1",
    "''quoted'",
    'He said "no", twice',
    "🚀 Rocket",
    "'-",
  ]);
  assertEquals(column("unit"), ["'@SUM", "", "'-", "a,b", ""]);
  assertEquals(column("notes"), ["'+1\n-1", "'\tTab", "'\rReturn\r\nline", "", ""]);
  assertEquals(column("amount"), ["-1", "", "", "1e-7", ""]);
  assertEquals(column("available"), ["", "-10", "", "", ""]);
  assert(content.includes(',"",') && content.endsWith("\r\n"));
});

Deno.test("An empty account exports documents without rows", async () => {
  const caller = await world().createCaller();
  const bodies = [
    [{ format: "JSON" }, '"resources": []'],
    [{ format: "JSON", dataset: "SNAPSHOTS" }, '"snapshots": []'],
    [
      { format: "CSV" },
      "resourceId,resourceType,name,amount,unit,capacity,available,level,notes,revision," +
      "createdAt,updatedAt,archivedAt\r\n",
    ],
    [
      { format: "CSV", dataset: "SNAPSHOTS" },
      "snapshotId,resourceId,resourceRevision,observedAt,amount,unit,capacity,available,level," +
      "note,createdAt,localTimes.observedAt\r\n",
    ],
  ] as const;
  for (const [body, expected] of bodies) {
    const { count, content, nextCursor } = await done(caller, EXPORTS, body);
    assertEquals([count, nextCursor], [0, null]);
    if (body.format === "CSV") assertEquals(content, expected);
    else assert(content.includes(expected), content);
  }
});

Deno.test("An export appends an execution with digest and count, without content", async () => {
  const caller = await world().createCaller();
  const marker = `marker-${ulid()}`;
  await measure(caller, await keep(caller, { name: marker, notes: marker }), { note: marker });
  for (const dataset of ["RESOURCES", "SNAPSHOTS"]) {
    world().advance(1);
    const before = await tableCounts(world());
    const key = ulid();
    const body = { format: "CSV", dataset };
    const first = (await caller.call("POST", EXPORTS, { key, body })).body.data;
    assert(first.content.includes(marker));
    const { content: _, nextCursor: __, ...kept } = first;
    const listed = { ...kept, createdAt: world().now().toISOString() };
    assertEquals((await read(caller, EXPORTS)).items[0], listed);
    assertEquals(Object.keys((await read(caller, EXPORTS)).items[0]), Object.keys(listed));
    assertEquals(await read(caller, `${EXPORTS}/${first.executionId}`), listed);
    const after = await tableCounts(world());
    const added = Object.keys(after).filter((table) => after[table] !== before[table]);
    assertEquals(added, ["audit_entries", "executions", "idempotency_envelopes"]);
    const { executionId, ...output } = kept;
    assertEquals(
      await world().rows(`
        select record_id, revision, module_code, feature_id, strategy, output::text as output
          from executions where execution_id = '${executionId}'`),
      [{
        record_id: null,
        revision: null,
        module_code: "resource",
        feature_id: "RES-008",
        strategy: "export",
        output: JSON.stringify(output),
      }],
    );
    const ledgers = await world().rows(`
      select output::text as text from executions union all
      select envelope::text from idempotency_envelopes union all
      select row_to_json(audit_entries)::text from audit_entries`);
    assertEquals(ledgers.filter(({ text }) => text.includes(marker)), []);

    await assertWritesNothing(world(), async () => {
      const again = await caller.call("POST", EXPORTS, { key, body });
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
      const replayed = { ...first, content: null, nextCursor: null };
      assertEquals([again.status, again.body.data], [201, replayed]);
      const other = await caller.call("POST", EXPORTS, { key, body: { format: "CSV" } });
      assertFailure(other, "IDEMPOTENCY_KEY_REUSED");
    });
  }
});

Deno.test("Exports are listed newest first, to their owner, without other executions", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    world().advance(1);
    ids.unshift((await done(caller, EXPORTS, { format: "JSON" })).executionId);
    await done(caller, OVERLOAD_ANALYSES, {});
    await done(caller, "/api/v2/memory/exports", { format: "JSON" });
  }
  const listed = (await walkPages(caller, EXPORTS, { limit: "1" })).flat();
  assertEquals(listed.map((item) => item.executionId), ids);
  const { items: [analysis] } = await read(caller, OVERLOAD_ANALYSES);
  for (const id of [ulid(), analysis.executionId]) {
    assertFailure(await caller.call("GET", `${EXPORTS}/${id}`), "RECORD_NOT_FOUND");
    const cursor = await caller.call("GET", `${EXPORTS}?cursor=${id}`);
    assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
  }
  assertEquals((await read(other, EXPORTS)).items, []);
  assertFailure(await other.call("GET", `${EXPORTS}/${ids[0]}`), "RECORD_NOT_FOUND");
});

Deno.test("An invalid export is rejected and leaves nothing", async () => {
  const caller = await world().createCaller();
  await keep(caller);
  await assertWritesNothing(world(), async () => {
    const refused: [JsonObject, string, string[]][] = [
      [{ format: "PDF" }, "field.option", ["format"]],
      [{ dataset: "MEMORIES" }, "field.option", ["dataset"]],
      [{ dataset: null }, "field.option", ["dataset"]],
      [{ resourceIds: [] }, "undeclared_field", []],
      [{ cursor: 1 }, "field.type", ["cursor"]],
      ...["A", "forged", "A".repeat(43), "A".repeat(1024)].map(
        (cursor): [JsonObject, string, string[]] => [{ cursor }, "cursor.unknown", ["cursor"]],
      ),
    ];
    for (const [wrong, rule, fields] of refused) {
      const response = await post(caller, EXPORTS, { format: "CSV", ...wrong });
      assertInvalid(response, [rule], fields, JSON.stringify(wrong));
    }
    assertInvalid(await post(caller, EXPORTS, {}), ["field.required"], ["format"]);
  });
  const writer = await withPermissions(world(), caller, "resource.write");
  assertFailure(await post(writer, EXPORTS, { format: "JSON" }), "FORBIDDEN");
});

/** Reads every part. */
async function exportAll(caller: Caller, body: JsonObject): Promise<Json[]> {
  const parts = [await done(caller, EXPORTS, body)];
  for (let { nextCursor: cursor } = parts[0]; cursor !== null;) {
    const part = await done(caller, EXPORTS, { ...body, cursor });
    parts.push(part);
    cursor = part.nextCursor;
  }
  return parts;
}

Deno.test("A part has at most five hundred rows, and each row is in one part", async () => {
  const caller = await world().createCaller();
  await world().raw(insertResources(caller, 501, 1));
  for (const [dataset, member] of [["RESOURCES", "resources"], ["SNAPSHOTS", "snapshots"]]) {
    const parts = await exportAll(caller, { format: "JSON", dataset: dataset ?? "" });
    assertEquals(parts.map(({ count }) => count), [500, 1]);
    const rows: Json[] = parts.flatMap(({ content }) => JSON.parse(content)[member ?? ""]);
    const ids = new Set(rows.map(({ resourceId }) => resourceId));
    assertEquals([rows.length, ids.size], [501, 501]);
  }
});

Deno.test("A part of long texts ends before five hundred rows, and its cursor works for that export only", async () => {
  const caller = await world().createCaller();
  const long = "🚀".repeat(100_000);
  const kept: Json[] = [];
  for (let index = 0; index < 22; index++) {
    world().advance(1);
    const resource = await keep(caller, { notes: long });
    await measure(caller, resource, { note: long });
    kept.unshift(resource);
  }
  for (const dataset of ["RESOURCES", "SNAPSHOTS"]) {
    const parts = await exportAll(caller, { format: "CSV", dataset });
    assert(parts.length > 1);
    const ids = parts.flatMap(({ content }) => {
      const [header = [], ...lines] = readCsv(content);
      return lines.map((cells) => toObject(header, cells).resourceId);
    });
    assertEquals(ids, kept.map(({ resourceId }) => resourceId));
  }
  const body = { format: "CSV" };
  const { nextCursor: cursor } = await done(caller, EXPORTS, body);
  const other = await withPermissions(world(), caller, "resource.read");
  const misuses: [Caller, JsonObject][] = [
    [caller, { format: "JSON", cursor }],
    [caller, { ...body, dataset: "RESOURCES", cursor }],
    [caller, { ...body, dataset: "SNAPSHOTS", cursor }],
    [caller, { ...body, cursor: `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}` }],
    [other, { ...body, cursor }],
    [await world().createCaller(), { ...body, cursor }],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [caller, misuse] of misuses) {
      const response = await post(caller, EXPORTS, misuse);
      assertInvalid(response, ["cursor.unknown"], ["cursor"]);
    }
  });
  const key = ulid();
  const next = { ...body, cursor };
  const first = await caller.call("POST", EXPORTS, { key, body: next });
  world().advance(15 * 60 * 1000);
  // Replays precede an expired cursor.
  const again = await caller.call("POST", EXPORTS, { key, body: next });
  assertEquals(again.body.data, { ...first.body.data, content: null, nextCursor: null });
  assertInvalid(await post(caller, EXPORTS, next), ["cursor.unknown"], ["cursor"]);
});

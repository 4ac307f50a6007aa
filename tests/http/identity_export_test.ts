import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { sha256Hex } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import {
  changed,
  introduce,
  PROFILE,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  stagePath,
  STAGES,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { exportedText, EXPORTS, imported, randomLife } from "../families/identity/import.ts";
import { assertFailure, assertInvalid, assertWritesNothing } from "./kernel.ts";
import { done, read, withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

async function exportedDocument(caller: Caller): Promise<Json> {
  return JSON.parse(await exportedText(caller));
}

Deno.test("A JSON export is an import without its mode, absent fields and identifiers", async () => {
  const caller = await world().createCaller();
  await introduce(caller, { ...WHOLE_PROFILE, currentRole: "Baker" });
  await done(caller, STAGES, { ...stageBody(2010), note: "Still here" });
  await done(caller, STAGES, stageBody(2000, 2010));
  const archived = await done(caller, STAGES, stageBody(1990, 2000));
  await done(caller, stagePath(archived, "/archive"), {});
  await done(caller, SNAPSHOTS, { label: "Frozen" });
  world().advance(1000);
  await done(caller, ROLES, roleBody(2020));
  await done(caller, ROLES, { ...roleBody(2005), reason: "" });
  const past = { label: "At ten", asOf: "1990-05-05T02:00:00+02:00", fields: { tags: [] } };
  await done(caller, SNAPSHOTS, past);
  const exported = await assertWritesNothing(
    world(),
    () => read(caller, `${EXPORTS}?format=json`),
  );
  const { content, sha256, ...about } = exported;
  assertEquals(about, {
    format: "json",
    filename: "identity.json",
    mediaType: "application/json",
    snapshotsLeftOut: 0,
  });
  assertEquals(sha256, sha256Hex(content));
  const document = {
    version: 1,
    profile: { ...WHOLE_PROFILE, currentRole: "Role of 2020" },
    stages: [stageBody(2000, 2010), { ...stageBody(2010), note: "Still here" }],
    roles: [{ ...roleBody(2005), reason: "" }, roleBody(2020)],
    snapshots: [
      { label: "Frozen", fields: { ...WHOLE_PROFILE, currentRole: "Baker" } },
      { ...past, asOf: "1990-05-05T02:00:00.000+02:00" },
    ],
  };
  assertEquals(JSON.parse(content), document);
  assertEquals(content, JSON.stringify(JSON.parse(content)));
  assertEquals(Object.keys(JSON.parse(content)), Object.keys(document));
});

Deno.test("The smallest export has empty lists, and equal states give equal bytes", async () => {
  const caller = await world().createCaller();
  await introduce(caller);
  const first = await read(caller, `${EXPORTS}?format=json`);
  assertEquals(JSON.parse(first.content), {
    version: 1,
    profile: { displayName: "Ada" },
    stages: [],
    roles: [],
    snapshots: [],
  });
  world().advance(1000);
  assertEquals(await read(caller, `${EXPORTS}?format=json`), first);
  await changed(caller, PROFILE, { expectedRevision: 1, set: { tags: ["a"] } });
  assert((await read(caller, `${EXPORTS}?format=json`)).sha256 !== first.sha256);
  await changed(caller, PROFILE, { expectedRevision: 2, remove: ["tags"] });
  assertEquals(await read(caller, `${EXPORTS}?format=json`), first);
});

Deno.test("A generated life exported, imported and exported again gives equal bytes", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = seededRandom(seed);
    const caller = await world().createCaller();
    const life = randomLife(random);
    await imported(caller, life, "REJECT");
    const exported = await exportedDocument(caller);
    const { version, ...document } = exported;
    assertEquals([version, document], [1, life], `seed ${seed}`);
    // Frozen, archived and later-changed parts are included.
    await done(caller, SNAPSHOTS, { label: `Seed ${seed}` });
    if (random.chance(0.5)) await archiveOne(caller);
    const { revision } = await read(caller, PROFILE);
    const set = { biography: random.text(1, 200), tags: ["b", "a"] };
    await changed(caller, PROFILE, { expectedRevision: revision, set });
    world().advance(random.integer(0, 3));

    const text = await exportedText(caller);
    const other = await world().createCaller();
    const { version: _, ...whole } = JSON.parse(text);
    const result = await imported(other, whole, random.pick(["REJECT", "CREATE_SNAPSHOT"]));
    const counts = { stages: whole.stages.length, roles: whole.roles.length };
    assertEquals(result.created, { ...counts, snapshots: whole.snapshots.length });
    assertEquals(await exportedText(other), text, `seed ${seed}`);
    // Repeated: only the profile's revision and the frozen one are new.
    const again = await imported(other, whole);
    assertEquals([again.created, again.skipped, again.revision], [
      { stages: 0, roles: 0, snapshots: 0 },
      result.created,
      2,
    ]);
    const after = await exportedDocument(other);
    const frozen = { label: "Before the import", fields: whole.profile };
    assertEquals(after, { ...JSON.parse(text), snapshots: [...whole.snapshots, frozen] });
  }
});

async function archiveOne(caller: Caller): Promise<void> {
  const { items: [stage] } = await read(caller, `${STAGES}?limit=1`);
  if (stage !== undefined) await done(caller, stagePath(stage, "/archive"), {});
}

Deno.test("If a document would be too large to import, the oldest snapshots are omitted and counted", async () => {
  const caller = await world().createCaller();
  // Two bytes in UTF-8 each, and two more where JSON escapes.
  const texts = ["\u00e9".repeat(90_000), '"'.repeat(90_000), "x".repeat(90_000)];
  const snapshots = Array.from({ length: 16 }, (_, index) => ({
    label: `Number ${index}`,
    fields: { biography: texts[index % 3] ?? "", publicSummary: "y".repeat(9_000 + index) },
  }));
  const profile = { displayName: "Ada" };
  for (const half of [snapshots.slice(0, 8), snapshots.slice(8)]) {
    await imported(caller, { profile, snapshots: half });
  }
  const { content, snapshotsLeftOut } = await read(caller, `${EXPORTS}?format=json`);
  const document = JSON.parse(content);
  // The second import froze the profile in between.
  const everything = [...snapshots.slice(0, 8), frozenAda, ...snapshots.slice(8)];
  assertEquals(snapshotsLeftOut + document.snapshots.length, 17);
  assert(snapshotsLeftOut > 0 && document.snapshots.length > 9, `${snapshotsLeftOut}`);
  assertEquals(document.snapshots, everything.slice(snapshotsLeftOut));
  const most = 2 * 1024 * 1024 - 1024;
  assert(Buffer.byteLength(content) <= most);
  const next = { ...document, snapshots: everything.slice(snapshotsLeftOut - 1) };
  assert(Buffer.byteLength(JSON.stringify(next)) > most);

  const other = await world().createCaller();
  const { version: _, ...whole } = document;
  await imported(other, whole, "REJECT");
  assertEquals(await exportedText(other), content);
});

const frozenAda: JsonObject = { label: "Before the import", fields: { displayName: "Ada" } };

Deno.test("Values are counted as an import counts them", async () => {
  const caller = await world().createCaller();
  const profile = { displayName: "Ada" };
  const tags = Array.from({ length: 50 }, (_, index) => `${index}`);
  // 54 values each: the snapshot, its label, its fields, the list and its entries.
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ label: `${index}`, fields: { tags } }));
  await imported(caller, { profile, snapshots: many(360) });
  await imported(caller, { profile, snapshots: many(375).slice(360) });
  const { content, snapshotsLeftOut } = await read(caller, `${EXPORTS}?format=json`);
  // 19,990 minus 7 leaves room for 370, including the frozen one of 4 values.
  assertEquals([JSON.parse(content).snapshots.length, snapshotsLeftOut], [370, 6]);
  const other = await world().createCaller();
  const { version: _, ...whole } = JSON.parse(content);
  await imported(other, whole, "REJECT");
  assertEquals(await exportedText(other), content);
});

Deno.test("Profile, stages and roles are never omitted, even if too large to import", async () => {
  const caller = await world().createCaller();
  const profile = { displayName: "Ada" };
  const roles = Array.from({ length: 12 }, (_, index) => ({
    ...roleBody(2000 + index),
    reason: `${index}`.padEnd(99_000, "r"),
  }));
  const stages = Array.from({ length: 12 }, (_, index) => ({
    ...stageBody(2000 + index, 2001 + index),
    note: `${index}`.padEnd(99_000, "n"),
  }));
  await imported(caller, { profile, roles });
  await imported(caller, { profile, stages });
  const { content, snapshotsLeftOut } = await read(caller, `${EXPORTS}?format=json`);
  const document = JSON.parse(content);
  assertEquals([document.stages, document.roles, document.snapshots, snapshotsLeftOut], [
    stages,
    roles,
    [],
    1,
  ]);
});

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let end = 0; end < text.length; end = cells.lastIndex) {
    const match = cells.exec(text);
    assert(match !== null, `No cell at ${end}: ${text.slice(end, end + 40)}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  assertEquals(row, []);
  return rows;
}

Deno.test("The CSV summary has a row per field, stage, role and snapshot", async () => {
  const caller = await world().createCaller();
  const { endedAt: _, ...profile } = WHOLE_PROFILE;
  await introduce(caller, { ...profile, biography: 'One, "two"\r\nthree' });
  await done(caller, STAGES, stageBody(2010));
  await done(caller, STAGES, stageBody(2000, 2010));
  await done(caller, SNAPSHOTS, { label: "Frozen" });
  world().advance(1000);
  await done(caller, SNAPSHOTS, {
    label: "At ten",
    asOf: "1990-05-05T00:00:00Z",
    fields: { tags: [] },
  });
  await done(caller, ROLES, { ...roleBody(2005), reason: "A, b" });
  const exported = await assertWritesNothing(world(), () => read(caller, `${EXPORTS}?format=csv`));
  const { content, sha256, ...about } = exported;
  assertEquals(about, {
    format: "csv",
    filename: "identity.csv",
    mediaType: "text/csv; charset=utf-8",
    snapshotsLeftOut: 0,
  });
  assertEquals(sha256, sha256Hex(content));
  assertEquals(
    content.slice(0, 58),
    "section,name,value,from,to\r\nprofile,displayName,Ada of the",
  );
  assertEquals(parseCsv(content), [
    ["section", "name", "value", "from", "to"],
    ["profile", "displayName", "Ada of the lake", "", ""],
    ["profile", "currentRole", "Role of 2005", "", ""],
    ["profile", "lifeStage", "ADULTHOOD", "", ""],
    ["profile", "startedAt", "2001-02-03T04:05:06.789Z", "", ""],
    ["profile", "biography", 'One, "two"\r\nthree', "", ""],
    ["profile", "publicSummary", "Rows before work.", "", ""],
    ["profile", "tags", "rowing; bread", "", ""],
    ["stage", "From 2000", "ADULTHOOD", "2000-01-01T00:00:00.000Z", "2010-01-01T00:00:00.000Z"],
    ["stage", "From 2010", "ADULTHOOD", "2010-01-01T00:00:00.000Z", ""],
    ["role", "Role of 2005", "A, b", "2005-01-01T00:00:00.000Z", ""],
    ["snapshot", "Frozen", "", "", ""],
    ["snapshot", "At ten", "", "1990-05-05T00:00:00.000Z", ""],
  ]);
});

Deno.test("No CSV cell begins like a formula", async () => {
  for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
    const caller = await world().createCaller();
    const text = `${start}1+1,"x"`;
    const line = start < " " ? "-2" : text;
    const tags = [line.slice(0, 4), "b"];
    await introduce(caller, { displayName: line, biography: text, tags });
    await done(caller, STAGES, { ...stageBody(2000), title: line });
    await done(caller, ROLES, { ...roleBody(2005, line), reason: text });
    await done(caller, SNAPSHOTS, { label: line });
    const { content } = await read(caller, `${EXPORTS}?format=csv`);
    const rows = parseCsv(content);
    for (const cell of rows.flat()) assert(!/^[=+\-@\t\r]/.test(cell), cell);
    assertEquals(rows.slice(1).map(([, name, value]) => [name, value]), [
      ["displayName", `'${line}`],
      ["currentRole", `'${line}`],
      ["biography", `'${text}`],
      ["tags", `'${tags.join("; ")}`],
      [`'${line}`, "ADULTHOOD"],
      [`'${line}`, `'${text}`],
      [`'${line}`, ""],
    ]);
  }
});

Deno.test("An export requires a profile, a format and the permission to read", async () => {
  const caller = await world().createCaller();
  for (const format of ["json", "csv"]) {
    assertFailure(await caller.call("GET", `${EXPORTS}?format=${format}`), "RECORD_NOT_FOUND");
  }
  await introduce(caller);
  assertInvalid(await caller.call("GET", EXPORTS), ["field.required"], ["format"]);
  for (const format of ["", "JSON", "xml", "toString"]) {
    const response = await caller.call("GET", `${EXPORTS}?format=${format}`);
    assertInvalid(response, ["field.option"], ["format"], format);
  }
  const more = await caller.call("GET", `${EXPORTS}?format=json&limit=1`);
  assertInvalid(more, ["undeclared_field"], ["limit"]);
  const writer = await withPermissions(world(), caller, "identity.write");
  assertFailure(await writer.call("GET", `${EXPORTS}?format=json`), "FORBIDDEN");
  const reader = await withPermissions(world(), caller, "identity.read");
  assertEquals((await read(reader, `${EXPORTS}?format=json`)).snapshotsLeftOut, 0);
  const other = await world().createCaller();
  await introduce(other, { displayName: "Another" });
  assertEquals((await exportedDocument(other)).profile, { displayName: "Another" });
});

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { IDENTITY } from "../../../src/catalog/modules/identity.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { readImportedRecord } from "../../../src/v1/import_rules.ts";
import { type LegacyRecord, randomLegacyRecord } from "../../support/legacy_records.ts";
import { seededRandom } from "../../support/random.ts";
import type { Json } from "../../support/world.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const MINUTE = 60_000;

function read(line: string | Uint8Array) {
  const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
  return readImportedRecord(IDENTITY, bytes, NOW);
}

/** Empty if accepted. */
function rulesOf(line: string | Uint8Array): readonly string[] {
  try {
    read(line);
    return [];
  } catch (error) {
    assert(error instanceof ServiceError && error.code === "PAYLOAD_INVALID", String(error));
    return [...error.details.rules as readonly string[]].sort();
  }
}

Deno.test("A record of an export is read unchanged, with any history", () => {
  const random = seededRandom(20_261_122);
  for (let round = 0; round < 120; round++) {
    const record = randomLegacyRecord(IDENTITY, random, { now: NOW });
    const imported = read(JSON.stringify(record));
    const shown = {
      recordId: imported.recordId,
      revisions: imported.revisions.map((revision) => ({
        ...revision,
        payload: JSON.parse(revision.payload),
        archivedAt: revision.archivedAt?.toISOString() ?? null,
        createdAt: revision.createdAt.toISOString(),
      })),
    };
    assertEquals<unknown>(shown, record);
  }
});

Deno.test("Times in other offsets and repeated tags are converted to the stored form", () => {
  const record = written();
  Object.assign(record.revisions[0], {
    createdAt: "2020-01-01T02:00:00.000+02:00",
    payload: { displayName: "A", startedAt: "2019-06-01T02:00:00+02:00", tags: ["a", "a", "b"] },
  });
  const [first] = read(JSON.stringify(record)).revisions;
  assertEquals(first?.createdAt, new Date(AT));
  assertEquals(JSON.parse(first?.payload ?? ""), {
    displayName: "A",
    startedAt: "2019-06-01T00:00:00.000Z",
    tags: ["a", "b"],
  });
});

const AT = "2020-01-01T00:00:00.000Z";
const LATER = "2020-01-02T00:00:00.000Z";

/** Four revisions, archived and restored. */
function written(at: string = AT): Json {
  const revision = { title: "A", summary: "", payload: { displayName: "A" } };
  const record: LegacyRecord = {
    recordId: ulid(Date.parse(at)),
    revisions: [
      { revision: 1, change: "CREATED", ...revision, archivedAt: null, createdAt: at },
      { revision: 2, change: "ARCHIVED", ...revision, archivedAt: LATER, createdAt: LATER },
      { revision: 3, change: "MODIFIED", ...revision, archivedAt: LATER, createdAt: LATER },
      { revision: 4, change: "RESTORED", ...revision, archivedAt: null, createdAt: LATER },
    ],
  };
  return record;
}

/** One difference from a valid line. */
function broken(change: (record: Json) => void): string {
  const record = written();
  change(record);
  return JSON.stringify(record);
}

const first = (members: Json) => broken(({ revisions }) => Object.assign(revisions[0], members));
const ahead = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE).toISOString();
const alone = (at: string) => {
  const record = written(at);
  record.revisions.length = 1;
  return JSON.stringify(record);
};
/** Ending at a time. */
const ending = (at: string) => broken(({ revisions }) => revisions[3].createdAt = at);

const REFUSED: readonly [string, string | Uint8Array, readonly string[]][] = [
  ["nothing", "", ["json.syntax"]],
  ["no JSON", "{", ["json.syntax"]],
  ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), ["json.encoding"]],
  ["two values", `${broken(() => {})} {}`, ["json.syntax"]],
  ["a byte order mark", `\ufeff${broken(() => {})}`, ["json.syntax"]],
  ["a member twice", '{"recordId":"a","recordId":"b"}', ["json.duplicate_key"]],
  ["a dangerous member", '{"__proto__":{}}', ["json.key"]],
  ["too deep", `${"[".repeat(33)}${"]".repeat(33)}`, ["json.depth"]],
  ["too many values", `[${"1,".repeat(20_000)}1]`, ["json.nodes"]],
  ["a list", "[]", ["body.object"]],
  ["an empty object", "{}", ["field.required"]],
  ["another member", broken((record) => record.ownerId = ulid()), ["undeclared_field"]],
  ["no identifier", broken((record) => record.recordId = "me"), ["field.identifier"]],
  ["no revisions", broken((record) => record.revisions = []), ["revisions.count"]],
  ["revisions that are none", broken((record) => record.revisions = {}), ["field.type"]],
  ["a revision that is none", broken((record) => record.revisions[1] = 2), ["field.type"]],
  ["a revision without a member", broken(({ revisions }) => delete revisions[0].summary), [
    "field.required",
  ]],
  ["a revision with another member", first({ revisionId: ulid() }), ["undeclared_field"]],
  ["no number", first({ revision: "1" }), ["field.type"]],
  ["another number", first({ revision: 2 }), ["revisions.numbers"]],
  ["a gap", broken(({ revisions }) => revisions.splice(2, 1)), ["revisions.numbers"]],
  ["an unknown change", first({ change: "DELETED" }), ["field.option"]],
  ["not created", first({ change: "MODIFIED" }), ["revisions.changes"]],
  ["created twice", broken(({ revisions }) => revisions[2].change = "CREATED"), [
    "revisions.changes",
  ]],
  ["a long title", first({ title: "a".repeat(201) }), ["field.length"]],
  ["a blank title", first({ title: " " }), ["field.blank"]],
  ["a title of two lines", first({ title: "a\nb" }), ["field.control_character"]],
  ["a long summary", first({ summary: "a".repeat(1001) }), ["field.length"]],
  ["a payload that is none", first({ payload: [] }), ["field.type"]],
  ["a payload without its name", first({ payload: {} }), ["field.required"]],
  ["a payload of another module", first({ payload: { displayName: "A", content: "B" } }), [
    "undeclared_field",
  ]],
  [
    "a payload that ends before it begins",
    first({
      payload: { displayName: "A", startedAt: LATER, endedAt: AT },
    }),
    ["identity.started_at_not_after_ended_at"],
  ],
  [
    "a time with a zone",
    first({ payload: { displayName: "A", startedAt: "2019-06-01T00:00:00+00:00[Etc/UTC]" } }),
    ["field.datetime"],
  ],
  ["a time that is an object", first({ payload: { displayName: "A", startedAt: {} } }), [
    "field.type",
  ]],
  ["a time that is none", first({ createdAt: "2020-01-01" }), ["field.datetime"]],
  ["an archive that is no time", first({ archivedAt: 0 }), ["field.datetime"]],
  ["a beginning of another time than the identifier's", first({ createdAt: LATER }), [
    "revisions.first_created_at",
  ]],
  ["a revision before the one before", ending("2020-01-01T23:59:59.999Z"), ["revisions.order"]],
  ["a revision of the future", ending(ahead(6)), ["revisions.future"]],
  ["an identifier of the future", alone(ahead(6)), ["record_id.future", "revisions.future"]],
  ["archived without an archival", first({ archivedAt: AT }), ["revisions.archived_at"]],
  ["not archived by an archival", broken(({ revisions }) => revisions[1].archivedAt = null), [
    "revisions.archived_at",
  ]],
  ["archived at another time", broken(({ revisions }) => revisions[2].archivedAt = AT), [
    "revisions.archived_at",
  ]],
  ["archived when it was restored", broken(({ revisions }) => revisions[3].archivedAt = LATER), [
    "revisions.archived_at",
  ]],
];

for (const [name, line, rules] of REFUSED) {
  Deno.test(`A line is rejected for ${name}`, () => assertEquals(rulesOf(line), [...rules].sort()));
}

Deno.test("Times within the clock skew of five minutes are not in the future", () => {
  assertEquals(rulesOf(alone(ahead(5))), []);
  assertEquals(rulesOf(ending(ahead(5))), []);
});

Deno.test("A record has up to 1,000 revisions", () => {
  const random = seededRandom(7);
  const make = (count: number) => {
    const record = randomLegacyRecord(IDENTITY, random, { now: NOW, count });
    // Otherwise the limit of values comes first.
    for (const revision of record.revisions) revision.payload = { displayName: "A" };
    return JSON.stringify(record);
  };
  assertEquals(rulesOf(make(1_000)), []);
  assertEquals(rulesOf(make(1_001)), ["revisions.count"]);
});

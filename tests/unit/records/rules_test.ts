import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { decodeTime } from "@std/ulid";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { COMMITMENT } from "../../../src/catalog/modules/commitment.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  checkModify,
  decideCreate,
  decideModify,
  decideMove,
} from "../../../src/records/record_rules.ts";
import type { RecordRow } from "../../../src/records/record.ts";
import type { ModifyBody } from "../../../src/records/record_schema.ts";
import { refusalOf } from "../../support/refusals.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const LATER = new Date("2026-11-20T13:00:00.000Z");
const CONTEXT = { now: NOW, recordId: "" };
const PAYLOAD = { commitmentType: "OUTGOING", content: "x", completionStatus: "OPEN" };
/**
 * Searched texts with the audiences of assistants that find them: A always, S if sensitive fields
 * are shown.
 */
const TITLE = { text: "A", prefix: "A", mark: "MB" };
const CONTENT = { text: "x", prefix: "S", mark: "MB" };
const TEXTS = [TITLE, { ...TITLE, text: "" }, CONTENT];
const ORDER = {
  moduleCode: "commitment",
  isArchived: false,
  guard: null,
  kind: null,
  time: null,
  day: null,
};
const INDEXED = { title: "A", texts: TEXTS, order: ORDER };
const ARCHIVED = { ...INDEXED, order: { ...ORDER, isArchived: true } };

function made(changes: Partial<RecordRow> = {}): RecordRow {
  const { row } = decideCreate(COMMITMENT, { title: "A", payload: PAYLOAD }, NOW);
  return { ...row, ...changes };
}

function modify(root: RecordRow | null, body: ModifyBody, now = LATER) {
  return decideModify(CATALOG, COMMITMENT, root, body, now);
}

function codeOf(action: () => unknown): string {
  return assertThrows(action, ServiceError).code;
}

Deno.test("decideCreate() makes a first revision whose identifiers have its time", () => {
  const { row, change, references } = decideCreate(
    COMMITMENT,
    { title: "A", payload: PAYLOAD },
    NOW,
  );
  assertEquals([change, row.revision, references], ["CREATED", 1, []]);
  assertEquals([decodeTime(row.record_id), decodeTime(row.revision_id)], [+NOW, +NOW]);
  assertEquals([row.created_at, row.updated_at, row.recorded_at], [NOW, NOW, NOW]);
  assertEquals([row.source_type, row.archived_at, row.summary], ["USER_INPUT", null, ""]);
  assertEquals(JSON.parse(row.payload), PAYLOAD);
});

Deno.test("checkModify() requires at least one change", () => {
  const empty: ModifyBody[] = [{}, { expectedRevision: 1 }, { payload: {}, payloadRemove: [] }];
  for (const body of empty) {
    const refusal = refusalOf(() => checkModify(COMMITMENT, body, CONTEXT));
    assertEquals(refusal?.rules, ["change.required"]);
  }
  const some: ModifyBody[] = [{ title: "A" }, { summary: "" }, { payloadRemove: ["notes"] }];
  for (const body of some) {
    assertEquals(refusalOf(() => checkModify(COMMITMENT, body, CONTEXT)), null);
  }
});

Deno.test("decideModify() steps the revision by one and keeps what it does not name", () => {
  const root = made({ archived_at: NOW });
  const { row, change, indexed } = modify(root, { summary: "S", payload: { notes: "n" } });
  assertEquals([change, row.revision, row.updated_at], ["MODIFIED", 2, LATER]);
  assertEquals(JSON.parse(row.payload), { ...PAYLOAD, notes: "n" });
  assertEquals([row.title, row.summary, row.archived_at], ["A", "S", NOW]);
  assertEquals(indexed.texts, [TITLE, { ...TITLE, text: "S" }, CONTENT, { ...TITLE, text: "n" }]);
  assertEquals([row.record_id, row.created_at], [root.record_id, root.created_at]);
  assertEquals(decodeTime(row.revision_id), +LATER);
});

Deno.test("decideModify() returns the current row if nothing changes", () => {
  const root = made();
  for (const body of [{ title: "A" }, { payload: PAYLOAD }, { payloadRemove: ["notes"] }]) {
    assertEquals(modify(root, body), { row: root, change: null, indexed: INDEXED, references: [] });
  }
});

Deno.test("decideModify() rejects by policy, and only then by revision", () => {
  const body = { payload: { completedAt: "2026-01-01T00:00:00Z" }, expectedRevision: 5 };
  assertEquals(codeOf(() => modify(made(), body)), "PAYLOAD_INVALID");
  assertEquals(
    codeOf(() => modify(made(), { title: "A", expectedRevision: 5 })),
    "REVISION_CONFLICT",
  );
  assertEquals(codeOf(() => modify(null, body)), "RECORD_NOT_FOUND");
});

Deno.test("decideMove() sets and clears the mark, or changes nothing", () => {
  const root = made();
  const archive = (row: RecordRow, expected?: number) =>
    decideMove(CATALOG, COMMITMENT, row, "ARCHIVED", expected, LATER);
  const restore = (row: RecordRow, expected?: number) =>
    decideMove(CATALOG, COMMITMENT, row, "RESTORED", expected, LATER);
  const archived = archive(root, 1).row;
  assertEquals([archived.revision, archived.archived_at], [2, LATER]);
  const restored = restore(archived, 2).row;
  assertEquals([restored.revision, restored.archived_at], [3, null]);
  assertEquals(archive(archived), {
    row: archived,
    change: null,
    indexed: ARCHIVED,
    references: [],
  });
  assertEquals(restore(root, 1), { row: root, change: null, indexed: INDEXED, references: [] });
  assertEquals(codeOf(() => restore(root, 2)), "REVISION_CONFLICT");
});

Deno.test("A record's time never goes back, even if a clock does", () => {
  const root = made({ updated_at: LATER });
  const { row } = modify(root, { title: "B" }, NOW);
  assertEquals([row.updated_at, decodeTime(row.revision_id)], [LATER, +LATER]);
  const moved = decideMove(CATALOG, COMMITMENT, root, "ARCHIVED", undefined, NOW).row;
  assertEquals([moved.updated_at, moved.archived_at], [LATER, LATER]);
});

Deno.test("A record of another module is missing, and one of an unknown module is drift", () => {
  assertEquals(
    codeOf(() => modify(made({ module_code: "health" }), { title: "B" })),
    "RECORD_NOT_FOUND",
  );
  const drifted = made({ module_code: "bygone" });
  const error = assertThrows(() => modify(drifted, { title: "B" }), Error);
  assert(!(error instanceof ServiceError));
  assertMatch(error.message, /not in the catalog/);
});

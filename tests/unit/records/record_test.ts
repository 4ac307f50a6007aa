import { assertEquals, assertThrows } from "@std/assert";
import type { Permission } from "../../../src/access/permissions.ts";
import { KNOWLEDGE } from "../../../src/catalog/modules/knowledge.ts";
import {
  type RecordRow,
  SOURCE_TYPES,
  toPublicRecord,
  toRecordJson,
} from "../../../src/records/record.ts";
import { serialiseJson, UnsafeOutputError } from "../../../src/validate/json_output.ts";
import { randomJson, writtenFreely } from "../../support/json_values.ts";
import { type Random, seededRandom } from "../../support/random.ts";

const AWKWARD = [
  "",
  '"',
  "\\",
  '","revision":7,"x":"',
  "\u0000\u001f\u007f\u2028",
  "\b\f\n\r\t",
  "🙂",
];

function randomRow(random: Random): RecordRow {
  const moment = () => new Date(random.integer(0, 4e12));
  const text = () => random.chance(0.5) ? random.pick(AWKWARD) : random.text(0, 40);
  return {
    record_id: random.ulid(),
    module_code: random.pick(["knowledge", "ai-agent"]),
    revision: random.integer(1, 2 ** 31 - 1),
    revision_id: random.ulid(),
    source_type: random.pick(SOURCE_TYPES),
    recorded_at: moment(),
    created_at: moment(),
    updated_at: moment(),
    archived_at: random.chance(0.5) ? moment() : null,
    title: text(),
    summary: text(),
    payload: writtenFreely({ snapshot: randomJson(random) }, random),
    clocks: null,
    guard: random.chance(0.5) ? "memory.read" : null,
  };
}

Deno.test("toRecordJson() writes a record like every other answer", () => {
  const random = seededRandom(1);
  let redacted = 0;
  for (let run = 0; run < 1_000; run++) {
    const permissions = new Set<Permission>(random.chance(0.5) ? ["memory.read"] : []);
    const record = toPublicRecord(randomRow(random), permissions, random.pick([KNOWLEDGE, null]));
    assertEquals(toRecordJson(record).text, serialiseJson(record));
    if (record.redacted) redacted++;
  }
  assertEquals(redacted > 100, true);
});

Deno.test("toRecordJson() rejects a lone surrogate", () => {
  const random = seededRandom(2);
  for (const name of ["title", "summary"]) {
    const record = toPublicRecord(
      { ...randomRow(random), guard: null, [name]: "\ud83d" },
      new Set(),
      null,
    );
    assertThrows(() => toRecordJson(record), UnsafeOutputError);
  }
});

import { assertEquals, assertThrows } from "@std/assert";
import { type Envelope, readEnvelope, writeEnvelope } from "../../../src/command/envelope.ts";

const RECORD = { policy: "record", recordId: "01JD5A0000000000000000RECD", revision: 3 };

Deno.test("writeEnvelope() writes names and numbers under its version", () => {
  assertEquals(JSON.parse(writeEnvelope(RECORD)), { v: 1, ...RECORD });
});

Deno.test("readEnvelope() reads what writeEnvelope() wrote", () => {
  const envelopes: Envelope[] = [
    RECORD,
    { ...RECORD, revision: null },
    { ...RECORD, policy: "feature", executionId: "01JD5A0000000000000000EXEC" },
  ];
  for (const envelope of envelopes) {
    assertEquals(readEnvelope(writeEnvelope(envelope), envelope.policy), envelope);
  }
});

Deno.test("readEnvelope() treats another version as drift", () => {
  for (const v of [0, 2, "1", true, null, undefined]) {
    const read = () => readEnvelope(JSON.stringify({ ...RECORD, v }), "record");
    assertThrows(read, Error, "Cannot read an idempotency envelope of an unknown version");
  }
  for (const text of ["[]", "1", "null", '"v"', "{}"]) {
    const read = () => readEnvelope(text, "record");
    assertThrows(read, Error, "Cannot read an idempotency envelope of an unknown version");
  }
});

Deno.test("readEnvelope() treats another shape or policy as drift", () => {
  const changes = [
    { policy: 1 },
    { policy: "feature" },
    { policy: undefined },
    { recordId: null },
    { recordId: undefined },
    { revision: "3" },
    { revision: undefined },
    { executionId: null },
    { executionId: 7 },
  ];
  for (const change of changes) {
    const read = () => readEnvelope(JSON.stringify({ v: 1, ...RECORD, ...change }), "record");
    const message = "Cannot read an idempotency envelope of an unknown shape";
    assertThrows(read, Error, message, JSON.stringify(change));
  }
});

/** Texts that an erasure prints for a person. */

import { assertEquals } from "@std/assert";
import {
  describePlan,
  describeVerification,
} from "../../../../src/operator/erasure/erasure_text.ts";

const SUBJECT = { kind: "RECORD", id: "01KA0000000000000000000001", moduleCode: "place" } as const;

Deno.test("A plan says of each list that it is empty, and counts one of a thing as one", () => {
  const lines = describePlan({
    digest: "d",
    accountId: "a",
    subjects: [SUBJECT],
    counts: {},
    attachments: [],
    objects: { count: 1, bytes: 1 },
    references: [],
    backups: [],
    backupsPassAt: null,
    seconds: 1,
    bytesNeeded: 2,
    freeBytes: 3,
    notes: [],
  });
  assertEquals(lines.slice(1), [
    "Subjects:",
    `  RECORD ${SUBJECT.id}`,
    "Rows that go, by table: none",
    "Attachments that go: 0, with 1 byte in 1 file",
    "Roots that stay and name a subject: none",
    "Backups in DATA_DIR: none",
    "No schedule removes every backup that holds it",
    "About 1 second, 2 bytes of disk (3 are free)",
    "Plan d",
  ]);
});

Deno.test("A verification counts one certificate as one", () => {
  assertEquals(describeVerification({ certificates: 1, subjects: 2, found: [] }), [
    "1 certificate with 2 subjects; nothing of them is here",
  ]);
});

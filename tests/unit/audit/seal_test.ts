/** Hashes never change: old seals must stay valid. */

import { assertEquals } from "@std/assert";
import { hexOf, type SealContent, sealDigest } from "../../../src/audit/seal.ts";
import { toTrailEntry, trailLeaf, type TrailRow } from "../../../src/audit/trail.ts";

const ACCOUNT = "01KA0000000000000000000001";
const ID = "01KA0000000000000000000002";
const common = {
  id: ID,
  credential_kind: "SESSION" as const,
  credential_id: "01KA0000000000000000000003",
  request_id: "the-request",
  created_at: new Date("2026-11-20T12:00:00.000Z"),
};
const ENTRY: TrailRow = {
  ...common,
  kind: "audit",
  audit_id: ID,
  actor_id: ACCOUNT,
  operation: "record.create",
  module_code: "commitment",
  subject_id: null,
  revision: 1,
};
const EVENT: TrailRow = {
  ...common,
  kind: "access",
  event_id: ID,
  event: "LOGIN",
  address_digest: "0123456789abcdef",
  client: null,
};
const SEAL: SealContent = {
  sealId: "01KA0000000000000000000004",
  accountId: ACCOUNT,
  kind: "audit",
  number: 2,
  entries: 3,
  firstId: ID,
  lastId: ID,
  root: "00".repeat(32),
  previous: null,
  createdAt: "2026-11-20T12:10:00.000Z",
};

Deno.test("The hashes of an entry, an event and a seal never change", () => {
  const leaf = (row: TrailRow) => hexOf(trailLeaf(ACCOUNT, toTrailEntry(row)));
  assertEquals(leaf(ENTRY), "9fdbf841dbda4cde303ca123e65000e156340867c39b02caabdcbeb0641663a2");
  assertEquals(leaf(EVENT), "e0b9776a538377b64f2924aead82c7096a111aa527552bb8f0372a64000efabc");
  assertEquals(
    sealDigest(SEAL),
    "5ead2cc013153a2fa0ea7558bf1f41dd245755efec6218994f2ea3df74f2daf1",
  );
});

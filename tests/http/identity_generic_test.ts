/** Generic identity: legacy records; typed objects have their own routes. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, readPage } from "./kernel.ts";
import {
  COMPARISONS,
  CONFIRMED,
  introduce,
  LEGACY_DRILLS,
  LEGACY_PLAN,
  PLAN_BODY,
  ROLES,
  SNAPSHOTS,
  stageBody,
  STAGES,
} from "../families/identity/api.ts";
import { newSlug, published } from "../families/identity/public.ts";
import { keepRecords } from "./legacy.ts";
import { done, withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

const ROOT = "/api/v2/records/identity";

/** A caller with typed and untyped identities. */
async function withEverything(): Promise<{ caller: Caller; typed: string[]; neither: string[] }> {
  const caller = await world().createCaller();
  const { profileId } = await introduce(caller);
  const { stageId } = await done(caller, STAGES, stageBody(2020));
  const changedAt = "2020-01-01T00:00:00.000Z";
  const { roleId } = await done(caller, ROLES, { role: "Rower", changedAt });
  const { snapshotId } = await done(caller, SNAPSHOTS, { label: "Now" });
  const left = { kind: "PROFILE_REVISION", revision: 1 };
  const right = { kind: "SNAPSHOT", snapshotId };
  const { comparisonId } = await done(caller, COMPARISONS, { left, right });
  const { planId } = await done(caller, LEGACY_PLAN, PLAN_BODY);
  const proof = await proofOf(world(), caller, "IDENTITY_LEGACY_DRILL", planId);
  const { drillId } = await done(caller, LEGACY_DRILLS, CONFIRMED, proof);
  await published(world(), caller, { slug: newSlug(), fields: ["tags"] });
  const [{ publication_id: publicationId }] = await world().rows(
    `select publication_id from identity_publications where owner_id = '${caller.accountId}'`,
  );
  return {
    caller,
    typed: [profileId, stageId, roleId, snapshotId],
    neither: [comparisonId, planId, drillId, publicationId, ulid()],
  };
}

Deno.test("Generic identity serves version 1's part, and refers to its own routes for the rest", async () => {
  const { caller, typed, neither } = await withEverything();
  const stranger = await world().createCaller();
  const [record] = await keepRecords(world(), caller, "identity", 1);
  const kept = record?.recordId ?? "";
  const dedicated = "IDENTITY_DEDICATED_ENDPOINT_REQUIRED";
  const reads = [["", "detail"], ["/revisions", "revisions"], ["/executions", "executions"]];
  for (const [end, name] of reads) {
    const ask = (caller: Caller, id: string) => caller.call("GET", `${ROOT}/${id}${end}`);
    assertEquals((await ask(caller, kept)).status, 200, end);
    for (const id of typed) {
      const details = assertFailure(await ask(caller, id), dedicated);
      assertEquals(details, { moduleCode: "identity", operation: `record.${name}` });
      assertFailure(await ask(stranger, id), "RECORD_NOT_FOUND", end);
    }
    for (const id of neither) assertFailure(await ask(caller, id), "RECORD_NOT_FOUND", end);
    assertInvalid(await ask(caller, "not-an-id"), ["record_id.format"]);
  }
  for (const id of typed) {
    assertFailure(await caller.call("GET", `${ROOT}/${id}?revision=2`), dedicated);
    // Other modules and version 1 do not find it.
    const elsewhere = await caller.call("GET", `/api/v2/records/resource/${id}`);
    assertFailure(elsewhere, "RECORD_NOT_FOUND");
    assertFailure(await caller.call("GET", `/api/v1/identity/${id}`), "RECORD_NOT_FOUND");
  }
  assertFailure(await caller.call("GET", `${ROOT}/${kept}?revision=99`), "RECORD_NOT_FOUND");
  const { items } = await readPage(caller, ROOT, { archived: "include" });
  assertEquals(items.map(({ recordId }) => recordId), [kept]);
});

Deno.test("Generic reads of identity require identity.read as well", async () => {
  const caller = await world().createCaller();
  const { profileId } = await introduce(caller);
  const [record] = await keepRecords(world(), caller, "identity", 1);
  const half = await withPermissions(world(), caller, "record.read");
  const other = await withPermissions(world(), caller, "identity.read");
  const both = await withPermissions(world(), caller, "record.read", "identity.read");
  for (const id of [record?.recordId, profileId]) {
    for (const path of [ROOT, `${ROOT}/${id}`, `${ROOT}/${id}/revisions`]) {
      for (const reader of [half, other]) {
        assertFailure(await reader.call("GET", path), "FORBIDDEN", path);
      }
      const expected = path !== ROOT && id === profileId ? 501 : 200;
      assertEquals((await both.call("GET", path)).status, expected, path);
    }
  }
});

Deno.test("Generic writes of identity are rejected before the request is examined", async () => {
  const { caller, typed, neither } = await withEverything();
  const [record] = await keepRecords(world(), caller, "identity", 1);
  const code = "IDENTITY_DEDICATED_ENDPOINT_REQUIRED";
  const writer = await withPermissions(world(), caller, "record.write");
  const reader = await withPermissions(world(), caller, "record.read", "identity.write");
  const raw = "{{{";
  let asked = 0;
  // Only the pipeline's credential look-up queries the database.
  const real = world().database;
  const database = {
    ...real,
    read: (...use: Parameters<typeof real.read>) => {
      asked++;
      return real.read(...use);
    },
    write: () => Promise.reject(new Error("a write")),
    transaction: () => Promise.reject(new Error("a transaction")),
  } as typeof real;
  const watched = callerOf(world().again({ database }), writer);
  for (const id of [record?.recordId ?? "", ...typed, ...neither, "not-an-id"]) {
    const writes = [
      ["POST", ROOT],
      ["PATCH", `${ROOT}/${id}`],
      ["POST", `${ROOT}/${id}/archive`],
      ["POST", `${ROOT}/${id}/restore`],
      ["POST", `${ROOT}/${id}/features/IDN-001`],
      ["POST", `${ROOT}/${id}/features/IDN-008`],
    ] as const;
    for (const [method, path] of writes) {
      const before = asked;
      for (const query of ["", "?unknown=1"]) {
        const response = await watched.call(method, path + query, { raw });
        assertFailure(response, code, `${method} ${path}`);
        assertEquals("data" in response.body, false);
      }
      assertEquals(asked - before, 2, path);
      assertFailure(await reader.call(method, path, { raw }), "FORBIDDEN", path);
      assertFailure(await world().call(method, path, { raw }), "AUTH_REQUIRED", path);
    }
  }
  const features = `${ROOT}/${typed[0]}/features`;
  assertFailure(await writer.call("POST", `${features}/IDN-009`, { raw }), "FEATURE_NOT_FOUND");
  const foreign = await writer.call("POST", `${features}/CMT-001`, { raw });
  assertFailure(foreign, "FEATURE_MODULE_MISMATCH");
});

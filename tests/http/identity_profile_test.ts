/** IDN-001: the profile, changes and revisions. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import {
  changed,
  identityAudit,
  introduce,
  NO_FIELDS,
  patch,
  PROFILE,
  PROFILE_BODY,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { post, read } from "../families/memory/api.ts";

const world = sharedWorld();

const REVISIONS = `${PROFILE}/revisions`;

Deno.test("A profile reads back exactly", async () => {
  const caller = await world().createCaller();
  const sent = {
    ...WHOLE_PROFILE,
    startedAt: "2001-02-03T06:05:06.789+02:00",
    biography: "e\u0301 \t\n ",
    tags: [" rowing", "cafe\u0301", "caf\u00e9"],
  };
  const response = await post(caller, PROFILE, sent);
  assertEquals([response.status, response.headers.get("Location")], [201, PROFILE]);
  const { profileId } = response.body.data;
  const now = world().now().toISOString();
  assertEquals(response.body.data, {
    profileId,
    ...sent,
    startedAt: WHOLE_PROFILE.startedAt,
    // Equal entries: the first spelling stays.
    tags: [" rowing", "cafe\u0301"],
    localTimes: { startedAt: "2001-02-03T06:05:06.789+02:00" },
    revision: 1,
    createdAt: now,
    updatedAt: now,
  });
  assertEquals(await read(caller, PROFILE), response.body.data);
  assertEquals(await identityAudit(caller), [`identity.profile.create 1 ${profileId}`]);
});

Deno.test("A field without a value reads as null; an empty list or text is a value", async () => {
  const caller = await world().createCaller();
  const profile = await introduce(caller);
  const { profileId, revision, createdAt, updatedAt, ...fields } = profile;
  assertEquals(fields, { ...NO_FIELDS, displayName: "Ada", localTimes: {} });
  assertEquals([typeof profileId, revision, createdAt], ["string", 1, updatedAt]);
  const set = { tags: [], currentRole: "", biography: "" };
  const next = await changed(caller, PROFILE, { expectedRevision: 1, set });
  assertEquals([next.tags, next.currentRole, next.biography], [[], "", ""]);
  assertEquals(await read(caller, PROFILE), next);
});

Deno.test("An owner has one profile, which is checked after the body", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const first = await caller.call("POST", PROFILE, { key, body: PROFILE_BODY });
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, PROFILE, WHOLE_PROFILE), "IDENTITY_STATE_CONFLICT");
    assertInvalid(await post(caller, PROFILE, {}), ["field.required"], ["displayName"]);
  });
  const again = await caller.call("POST", PROFILE, { key, body: PROFILE_BODY });
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Location"), PROFILE);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  await introduce(await world().createCaller());
});

Deno.test("An invalid profile is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{ displayName: " " }, ["field.blank"], ["displayName"]],
    [{ displayName: "x".repeat(501) }, ["field.length"], ["displayName"]],
    [{ displayName: null }, ["field.null"], ["displayName"]],
    [{ currentRole: "a\nb" }, ["field.control_character"], ["currentRole"]],
    [{ lifeStage: "YOUTH" }, ["field.option"], ["lifeStage"]],
    [{ startedAt: "2001-02-03" }, ["field.datetime"], ["startedAt"]],
    [{ biography: "x".repeat(100_001) }, ["field.length"], ["biography"]],
    [{ tags: Array.from({ length: 51 }, (_, at) => `${at}`) }, ["field.tags_count"], ["tags"]],
    [{ tags: "rowing" }, ["field.type"], ["tags"]],
    [
      { startedAt: "2002-01-01T00:00:00Z", endedAt: "2001-01-01T00:00:00Z" },
      ["identity.started_at_not_after_ended_at"],
      ["startedAt", "endedAt"],
    ],
    [{ ownerId: caller.accountId }, ["undeclared_field"], []],
    [{ profileId: ulid() }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await post(
        caller,
        PROFILE,
        { ...PROFILE_BODY, ...wrong } as typeof PROFILE_BODY,
      );
      // 51 entries also violate the module's rule.
      const { rules: broken } = assertFailure(response, "PAYLOAD_INVALID");
      const expected = broken.includes("identity.tags_limits")
        ? [...rules, "identity.tags_limits"]
        : rules;
      assertInvalid(response, expected, fields, JSON.stringify(wrong).slice(0, 60));
    }
  });
});

Deno.test("The longest texts of all fields are accepted together", async () => {
  const caller = await world().createCaller();
  const longest = "\u{1f6a3}".repeat(100_000);
  const body = { ...WHOLE_PROFILE, displayName: "x".repeat(500), biography: longest };
  const profile = await introduce(caller, { ...body, publicSummary: longest });
  assertEquals([profile.biography, profile.publicSummary], [longest, longest]);
});

Deno.test("Without a profile reads and patches answer 404", async () => {
  const caller = await world().createCaller();
  for (
    const path of [PROFILE, `${PROFILE}?revision=1`, REVISIONS, `${REVISIONS}?cursor=${ulid()}`]
  ) {
    assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND", path);
  }
  const set = { displayName: "Eda" };
  assertFailure(await patch(caller, PROFILE, { expectedRevision: 1, set }), "RECORD_NOT_FOUND");
  const wrong = await patch(caller, PROFILE, { expectedRevision: 1 });
  assertInvalid(wrong, ["change.required"]);
});

Deno.test("A patch sets and removes, and appends one revision", async () => {
  const caller = await world().createCaller();
  const profile = await introduce(caller, WHOLE_PROFILE);
  world().advance(1000);
  const next = await changed(caller, PROFILE, {
    expectedRevision: 1,
    set: { displayName: "Eda", lifeStage: "MIDLIFE" },
    remove: ["biography", "tags", "startedAt", "currentRole"],
  });
  assertEquals(next, {
    ...profile,
    displayName: "Eda",
    lifeStage: "MIDLIFE",
    biography: null,
    tags: null,
    startedAt: null,
    currentRole: null,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, PROFILE), next);
  assertEquals(await read(caller, `${PROFILE}?revision=1`), profile);
  assertFailure(await caller.call("GET", `${PROFILE}?revision=3`), "RECORD_NOT_FOUND");
  assertInvalid(await caller.call("GET", `${PROFILE}?revision=0`), ["field.range"], ["revision"]);
  const known = await caller.call("GET", PROFILE, { headers: { "If-None-Match": `"2"` } });
  assertEquals(known.status, 304);
});

Deno.test("A patch without effect returns the current state and writes nothing", async () => {
  const caller = await world().createCaller();
  const profile = await introduce(caller, WHOLE_PROFILE);
  const set = { startedAt: "2001-02-03T04:05:06.789-00:00", tags: ["rowing", "bread"] };
  const key = ulid();
  const body = { expectedRevision: 1, set };
  assertEquals((await caller.call("PATCH", PROFILE, { key, body })).body.data, profile);
  await changed(caller, PROFILE, { expectedRevision: 1, remove: ["endedAt"] });
  const again = await caller.call("PATCH", PROFILE, { key, body });
  assertEquals([again.status, again.body.data], [200, profile]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  const { profileId } = profile;
  const operations = ["identity.profile.create 1", "identity.profile.modify 2"];
  assertEquals(await identityAudit(caller), operations.map((each) => `${each} ${profileId}`));
});

Deno.test("An invalid patch is rejected before the revision is compared", async () => {
  const caller = await world().createCaller();
  await introduce(caller, { ...WHOLE_PROFILE });
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{}, ["change.required"], []],
    [{ set: {}, remove: [] }, ["change.required"], []],
    [{ set: { displayName: null } }, ["field.null"], ["displayName"]],
    [{ set: { name: "x" } }, ["undeclared_field"], []],
    [{ remove: ["name"] }, ["undeclared_field"], []],
    [{ remove: ["displayName"] }, ["field.required"], ["displayName"]],
    [{ remove: ["tags", "tags"] }, ["field.repeated"], ["remove"]],
    [{ set: { tags: [] }, remove: ["tags"] }, ["payload.set_and_removed"], ["tags"]],
    [{ set: { lifeStage: "YOUTH" } }, ["field.option"], ["lifeStage"]],
    [{ set: { displayName: "" } }, ["field.blank"], ["displayName"]],
    [{ displayName: "x" }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await patch(
        caller,
        PROFILE,
        {
          expectedRevision: 7,
          ...wrong,
        } as typeof PROFILE_BODY,
      );
      assertInvalid(response, rules, fields, JSON.stringify(wrong));
    }
    const nameless = await patch(caller, PROFILE, { set: { displayName: "x" } });
    assertInvalid(nameless, ["field.required"], ["expectedRevision"]);
    const reversed = { startedAt: "2031-01-01T00:00:00Z" };
    const stale = await patch(caller, PROFILE, { expectedRevision: 7, set: reversed });
    const details = { expectedRevision: 7, currentRevision: 1 };
    assertEquals(assertFailure(stale, "REVISION_CONFLICT"), details);
    const order = ["identity.started_at_not_after_ended_at"];
    const crossed = await patch(caller, PROFILE, { expectedRevision: 1, set: reversed });
    assertInvalid(crossed, order, ["startedAt", "endedAt"]);
  });
});

Deno.test("The revisions are listed newest first, each as it was", async () => {
  const caller = await world().createCaller();
  const states = [await introduce(caller)];
  for (let revision = 1; revision < 5; revision++) {
    world().advance(1000);
    const set = { biography: `Chapter ${revision}` };
    states.unshift(await changed(caller, PROFILE, { expectedRevision: revision, set }));
  }
  const pages = await walkPages(caller, REVISIONS, { limit: "2" });
  assertEquals(pages.map((page) => page.length), [2, 2, 1]);
  const items = pages.flat();
  const changes = items.map(({ revisionId: _, change, ...profile }) => [change, profile]);
  const expected = states.map((state) => [state.revision === 1 ? "CREATED" : "MODIFIED", state]);
  assertEquals(changes, expected);
  assertEquals(new Set(items.map(({ revisionId }) => revisionId)).size, 5);
  const unknown = await caller.call("GET", `${REVISIONS}?cursor=${ulid()}`);
  assertInvalid(unknown, ["cursor.unknown"], ["cursor"]);
});

Deno.test("Another owner's profile is not found", async () => {
  const caller = await world().createCaller();
  const profile = await introduce(caller, WHOLE_PROFILE);
  const [{ revisionId }] = (await read(caller, REVISIONS)).items;
  const other = await world().createCaller();
  assertFailure(await other.call("GET", PROFILE), "RECORD_NOT_FOUND");
  await introduce(other, { displayName: "Another" });
  assertEquals((await read(other, PROFILE)).displayName, "Another");
  const foreign = await other.call("GET", `${REVISIONS}?cursor=${revisionId}`);
  assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
  assertEquals(await read(caller, PROFILE), profile);
});

Deno.test("Profile writes require a key, and reads and writes their permissions", async () => {
  const caller = await world().createCaller();
  for (const method of ["POST", "PATCH"]) {
    const response = await caller.call(method, PROFILE, { body: PROFILE_BODY });
    assertFailure(response, "RECORD_IDEMPOTENCY_KEY_REQUIRED", method);
  }
  const viewer = await world().createCaller("VIEWER");
  assertFailure(await post(viewer, PROFILE, PROFILE_BODY), "FORBIDDEN");
  assertFailure(await viewer.call("GET", PROFILE), "RECORD_NOT_FOUND");
});

/** IDN-006: publishing. */

import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing } from "./kernel.ts";
import {
  changed,
  identityAudit,
  introduce,
  PROFILE,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import {
  assertNothing,
  look,
  newSlug,
  PUBLIC,
  publicCaller,
  PUBLISH,
  publish,
  published,
  publishProof,
  REFRESH,
  REVOKE,
} from "../families/identity/public.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

/** Audit lines of a publication. */
async function publicationAudit(caller: Caller): Promise<string[]> {
  const lines = await identityAudit(caller);
  return lines.filter((line) => line.startsWith("identity.publication."));
}

Deno.test("A publication shows the listed fields, in catalog order", async () => {
  const caller = await world().createCaller();
  const { profileId } = await introduce(caller, WHOLE_PROFILE);
  const slug = newSlug();
  const now = world().now().toISOString();
  const sent = { slug, fields: ["tags", "displayName", "lifeStage"] };
  const publication = await published(world(), caller, sent);
  const { displayName, lifeStage, tags } = WHOLE_PROFILE;
  assertEquals(publication, {
    slug,
    fields: ["displayName", "lifeStage", "tags"],
    state: "PUBLISHED",
    view: { slug, displayName, lifeStage, tags, updatedAt: now },
    profileRevision: 1,
    revision: 1,
    publishedAt: now,
    updatedAt: now,
    revokedAt: null,
  } as Json);
  assertEquals(Object.keys(publication.view), [
    "slug",
    "displayName",
    "lifeStage",
    "tags",
    "updatedAt",
  ]);
  assertEquals(await read(caller, PUBLIC), publication);
  assertEquals((await look(world(), slug)).body.data, publication.view);
  assertEquals(await publicationAudit(caller), [`identity.publication.publish 1 ${profileId}`]);
  const executions = await world().rows(`
    select record_id, module_code, feature_id, strategy, revision, status, output::text as output
      from executions where owner_id = '${caller.accountId}'`);
  const [{ output, ...execution }] = executions as [Json];
  assertEquals(execution, {
    record_id: null,
    module_code: "identity",
    feature_id: "IDN-006",
    strategy: "publish",
    revision: null,
    status: "SUCCEEDED",
  });
  const { publicationId, ...told } = JSON.parse(output);
  assertMatch(publicationId, /^[0-9A-Z]{26}$/);
  assertEquals(told, {
    revision: 1,
    profileRevision: 1,
    fields: ["displayName", "lifeStage", "tags"],
  });
});

Deno.test("A refresh without effect writes only its key", async () => {
  const { caller } = await publicCaller(world());
  const before = await read(caller, PUBLIC);
  const entries = await identityAudit(caller);
  world().advance(1000);
  const key = ulid();
  const response = await caller.call("POST", REFRESH, { key });
  assertEquals([response.status, response.body.data], [200, before]);
  assertEquals([await read(caller, PUBLIC), await identityAudit(caller)], [before, entries]);
  const executions = await world().rows(
    `select 1 from executions where owner_id = '${caller.accountId}'`,
  );
  assertEquals(executions.length, 1);
  await changed(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  const again = await caller.call("POST", REFRESH, { key });
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals([await read(caller, PUBLIC), again.body.data], [before, before]);
});

Deno.test("Publishing again replaces slug and fields, and the old slug shows nothing", async () => {
  const { caller, profile, slug } = await publicCaller(world(), ["displayName", "tags"]);
  const first = await read(caller, PUBLIC);
  const next = newSlug();
  world().advance(1000);
  const now = world().now().toISOString();
  const second = await published(world(), caller, { slug: next, fields: ["currentRole"] });
  assertEquals(second, {
    ...first,
    slug: next,
    fields: ["currentRole"],
    view: { slug: next, currentRole: "Engineer", updatedAt: now },
    revision: 2,
    publishedAt: now,
    updatedAt: now,
  });
  assertNothing(await look(world(), slug), "the former slug");
  assertEquals((await look(world(), next)).body.data, second.view);
  // Repeating it is a new publication, confirmed by a password.
  assertEquals((await published(world(), caller, { slug, fields: ["tags"] })).revision, 3);
  assertEquals((await published(world(), caller, { slug, fields: ["tags"] })).revision, 4);
  assertNothing(await look(world(), next), "the slug between");
  assertEquals(
    await publicationAudit(caller),
    [1, 2, 3, 4].map((at) => `identity.publication.publish ${at} ${profile.profileId}`),
  );
});

Deno.test("A revoked publication disappears immediately, and can be published again", async () => {
  const { caller, profile, slug } = await publicCaller(world());
  const before = await read(caller, PUBLIC);
  world().advance(1000);
  const now = world().now().toISOString();
  const revoked = await done(caller, REVOKE, {});
  const changes = { state: "REVOKED", view: null, revision: 2, updatedAt: now, revokedAt: now };
  assertEquals(revoked, { ...before, ...changes });
  assertEquals(await read(caller, PUBLIC), revoked);
  assertNothing(await look(world(), slug), "a revoked slug");
  assertNothing(await look(world(), slug, { "If-None-Match": "*" }), "a revoked slug, known");
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, REVOKE, {}), "IDENTITY_STATE_CONFLICT");
    assertFailure(await post(caller, REFRESH, {}), "IDENTITY_STATE_CONFLICT");
  });
  const again = await published(world(), caller, { slug, fields: ["tags"] });
  assertEquals([again.state, again.revision, again.revokedAt], ["PUBLISHED", 3, null]);
  assertEquals((await look(world(), slug)).body.data, again.view);
  const subject = profile.profileId;
  assertEquals(await publicationAudit(caller), [
    `identity.publication.publish 1 ${subject}`,
    `identity.publication.publish 3 ${subject}`,
    `identity.publication.revoke 2 ${subject}`,
  ]);
});

Deno.test("A published slug stays reserved for its owner", async () => {
  const { caller, slug } = await publicCaller(world());
  const other = await world().createCaller();
  await introduce(other);
  const wish = { slug, fields: ["displayName"] };
  const headers = await publishProof(world(), other, (await read(other, PROFILE)).profileId);
  const taken = async (label: string) => {
    await assertWritesNothing(world(), async () => {
      assertFailure(await post(other, PUBLISH, wish, headers), "IDENTITY_STATE_CONFLICT", label);
    });
  };
  await taken("published");
  await published(world(), caller, { slug: newSlug(), fields: ["tags"] });
  await taken("replaced");
  await done(caller, REVOKE, {});
  await taken("revoked");
  assertFailure(await other.call("GET", PUBLIC), "RECORD_NOT_FOUND");
  assertEquals((await published(world(), caller, wish)).slug, slug);
  await taken("published again");
  // Conflicts do not use up the proof.
  const own = await post(other, PUBLISH, { ...wish, slug: newSlug() }, headers);
  assertEquals(own.status, 200, own.text);
});

Deno.test("A publication is rejected with every wrong member, before any look-up", async () => {
  const caller = await world().createCaller();
  const fields = ["displayName"];
  const slug = newSlug();
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{}, ["field.required"], ["slug", "fields"]],
    [{ slug: 1, fields }, ["field.type"], ["slug"]],
    ...["ab", "x".repeat(65), "Ada", "a b", "publish", "refresh", "revoke", "a\nb", "ada\n"].map(
      (wrong): typeof cases[0] => [{ slug: wrong, fields }, ["field.slug"], ["slug"]],
    ),
    [{ slug, fields: "displayName" }, ["field.type"], ["fields"]],
    [{ slug, fields: [1] }, ["field.type"], ["fields"]],
    [{ slug, fields: [] }, ["field.length"], ["fields"]],
    [{ slug, fields: ["tags", "tags"] }, ["field.repeated"], ["fields"]],
    ...["biography", "startedAt", "endedAt", "profileId", "toString"].map(
      (name): typeof cases[0] => [{ slug, fields: [name] }, ["field.option"], ["fields"]],
    ),
    [{ slug, fields, view: {} }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rules, names] of cases) {
      const response = await post(caller, PUBLISH, body as JsonObject);
      assertInvalid(response, rules, names, JSON.stringify(body));
    }
    for (const path of [REFRESH, REVOKE]) {
      assertInvalid(await post(caller, path, { slug }), ["undeclared_field"], [], path);
    }
  });
});

Deno.test("Without a profile or publication nothing can be published, refreshed, revoked or read", async () => {
  const caller = await world().createCaller();
  const body = { slug: newSlug(), fields: ["tags"] };
  await assertWritesNothing(world(), async () => {
    // Checked before the missing proof.
    assertFailure(await post(caller, PUBLISH, body), "IDENTITY_STATE_CONFLICT");
    for (const path of [REFRESH, REVOKE]) {
      assertFailure(await post(caller, path, {}), "IDENTITY_STATE_CONFLICT", path);
    }
    assertFailure(await caller.call("GET", PUBLIC), "RECORD_NOT_FOUND");
  });
  await introduce(caller);
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, PUBLISH, body), "STEP_UP_REQUIRED");
    for (const path of [REFRESH, REVOKE]) {
      assertFailure(await post(caller, path, {}), "IDENTITY_STATE_CONFLICT", path);
    }
    assertFailure(await caller.call("GET", PUBLIC), "RECORD_NOT_FOUND");
  });
});

Deno.test("Publishing requires a proof of this profile, session and purpose, once", async () => {
  const { caller, profile, slug: taken } = await publicCaller(world());
  const other = await publicCaller(world());
  const { profileId } = profile;
  const body = { slug: newSlug(), fields: ["tags"] };
  const spent = await publishProof(world(), caller, profileId);
  const token = await withPermissions(world(), caller, "identity.publish");
  const unspent = await publishProof(world(), caller, profileId);
  const proofs: [string, Record<string, string>][] = [
    ["none", {}],
    ["of nothing", { "Step-Up-Proof": "prs_x_nothing" }],
    ["of another profile", await publishProof(world(), caller, other.profile.profileId)],
    ["of another purpose", await proofOf(world(), caller, "IDENTITY_LEGACY_DRILL", profileId)],
    ["of another person", await publishProof(world(), other.caller, profileId)],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [label, headers] of proofs) {
      assertFailure(await post(caller, PUBLISH, body, headers), "STEP_UP_REQUIRED", label);
    }
    const response = await post(token, PUBLISH, body, unspent);
    assertFailure(response, "STEP_UP_REQUIRED", "a token");
    // The proof is checked before the slug.
    const wish = { ...body, slug: other.slug };
    assertFailure(await post(caller, PUBLISH, wish), "STEP_UP_REQUIRED", "a slug that is taken");
  });
  const key = ulid();
  const first = await caller.call("POST", PUBLISH, { key, body, headers: spent });
  assertEquals(first.status, 200, first.text);
  assertFailure(await post(caller, PUBLISH, body, spent), "STEP_UP_REQUIRED", "spent");
  const replayed = await caller.call("POST", PUBLISH, { key, body });
  assertEquals([replayed.status, replayed.body.data], [200, first.body.data]);
  assertEquals(replayed.headers.get("Idempotency-Replayed"), "true");
  // Revoking requires no password.
  assertEquals((await done(token, REVOKE, {})).state, "REVOKED");
  assertNothing(await look(world(), taken), "the first slug");
});

Deno.test("A repeated publication returns the first response, after any changes", async () => {
  const caller = await world().createCaller();
  const { profileId } = await introduce(caller, WHOLE_PROFILE);
  const slug = newSlug();
  const calls: [string, string, JsonObject | undefined][] = [
    [ulid(), PUBLISH, { slug, fields: ["displayName", "tags"] }],
    [ulid(), REFRESH, undefined],
    [ulid(), REVOKE, undefined],
    [ulid(), PUBLISH, { slug: newSlug(), fields: ["currentRole"] }],
  ];
  const answers: Json[] = [];
  for (const [index, [key, path, body]] of calls.entries()) {
    const headers = await publishProof(world(), caller, profileId);
    const response = await caller.call("POST", path, { key, headers, ...(body && { body }) });
    assertEquals(response.status, 200, response.text);
    answers.push(response.body.data);
    world().advance(1000);
    const set = { displayName: `Name ${index}`, tags: [`${index}`], currentRole: `${index}` };
    await changed(caller, PROFILE, { expectedRevision: index + 1, set });
  }
  for (const [index, [key, path, body]] of calls.entries()) {
    const response = await caller.call("POST", path, { key, ...(body && { body }) });
    assertEquals([response.status, response.body.data], [200, answers[index]], path);
    assertEquals(response.headers.get("Idempotency-Replayed"), "true");
  }
  // One audit entry and one execution each.
  const commands = ["publish", "refresh", "revoke", "publish"];
  const audited = commands.map((name, at) => `identity.publication.${name} ${at + 1} ${profileId}`);
  assertEquals(await publicationAudit(caller), audited.sort());
  const executions = await world().rows(`
    select feature_id, strategy, (output ->> 'revision')::integer as revision,
           (output ->> 'profileRevision')::integer as shown
      from executions where owner_id = '${caller.accountId}' order by revision`);
  assertEquals(
    [...executions],
    [1, 2, 2, 4].map((shown, at) => ({
      feature_id: "IDN-006",
      strategy: "publish",
      revision: at + 1,
      shown,
    })),
  );
  const reused = await caller.call("POST", PUBLISH, {
    key: calls[0]?.[0] ?? "",
    body: { slug, fields: ["tags"] },
  });
  assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("Publishing requires only its own permission, and a key", async () => {
  const { caller } = await publicCaller(world());
  const writer = await withPermissions(world(), caller, "identity.read", "identity.write");
  for (const path of [PUBLISH, REFRESH, REVOKE]) {
    assertFailure(await post(writer, path, {}), "FORBIDDEN", path);
    const response = await caller.call("POST", path, { body: {} });
    assertFailure(response, "RECORD_IDEMPOTENCY_KEY_REQUIRED", path);
  }
  const publisher = await withPermissions(world(), caller, "identity.publish");
  assertFailure(await publisher.call("GET", PUBLIC), "FORBIDDEN");
  assertEquals((await read(writer, PUBLIC)).state, "PUBLISHED");
  assertEquals((await done(publisher, REVOKE, {})).state, "REVOKED");
});

Deno.test("Without step-up nothing can be published", async () => {
  const { caller, profile } = await publicCaller(world());
  const without = callerOf(world().again({ stepUp: null }), caller);
  const headers = await publishProof(world(), caller, profile.profileId);
  const body = { slug: newSlug(), fields: ["tags"] };
  assertFailure(await post(without, PUBLISH, body, headers), "STEP_UP_REQUIRED");
  assertEquals((await publish(world(), caller, body)).status, 200);
});

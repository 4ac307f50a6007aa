/** Concurrent publications, at two applications. */

import { assert, assertEquals } from "@std/assert";
import { introduce, WHOLE_PROFILE } from "../families/identity/api.ts";
import {
  look,
  newSlug,
  PUBLIC,
  publicCaller,
  PUBLISH,
  published,
  publishProof,
  REFRESH,
  REVOKE,
} from "../families/identity/public.ts";
import { type HeldDatabase, holdAfterWrite } from "../http/held_database.ts";
import { assertFailure } from "../http/kernel.ts";
import { post, read } from "../families/memory/api.ts";
import { waitForBlocked } from "../storage/held.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  ENGINE,
  sharedWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";

const world = sharedWorld();

function statuses(answers: readonly TestResponse[]): number[] {
  return answers.map(({ status }) => status).sort();
}

Deno.test("Of owners who want one slug one gets it, and the others' proofs stay valid", async () => {
  const fields = ["displayName"];
  for (let round = 0; round < 3; round++) {
    const slug = newSlug();
    const callers = await Promise.all([1, 2, 3, 4].map(async (at) => {
      const owner = await world().createCaller();
      const { profileId } = await introduce(owner, WHOLE_PROFILE);
      const caller = at % 2 === 0 ? owner : callerOf(world().again(), owner);
      return { caller, proof: await publishProof(world(), owner, profileId) };
    }));
    const answers = await Promise.all(
      callers.map(({ caller, proof }) => post(caller, PUBLISH, { slug, fields }, proof)),
    );
    assertEquals(statuses(answers), [200, 409, 409, 409]);
    for (const [index, { caller, proof }] of callers.entries()) {
      if (answers[index]?.status === 200) continue;
      const own = await post(caller, PUBLISH, { slug: newSlug(), fields }, proof);
      assertEquals(own.status, 200, own.text);
    }
  }
});

Deno.test("A proof used by two concurrent publications works for one", async () => {
  for (let round = 0; round < 3; round++) {
    const { caller, profile } = await publicCaller(world());
    const there = callerOf(world().again(), caller);
    const proof = await publishProof(world(), caller, profile.profileId);
    const answers = await Promise.all(
      [caller, there, caller, there].map((caller) =>
        post(caller, PUBLISH, { slug: newSlug(), fields: ["tags"] }, proof)
      ),
    );
    assertEquals(statuses(answers), [200, 403, 403, 403]);
    assertEquals((await read(caller, PUBLIC)).revision, 2);
  }
});

Deno.test("Concurrent publications, refreshes and revocations have a serial result", async () => {
  for (let round = 0; round < 3; round++) {
    const { caller, profile } = await publicCaller(world());
    const there = callerOf(world().again(), caller);
    const slug = newSlug();
    const proof = await publishProof(world(), caller, profile.profileId);
    const [publication, ...others] = await Promise.all([
      post(there, PUBLISH, { slug, fields: ["tags"] }, proof),
      post(caller, REVOKE, {}),
      post(there, REVOKE, {}),
      post(caller, REFRESH, {}),
    ]) as [TestResponse, ...TestResponse[]];
    assertEquals(publication.status, 200, publication.text);
    for (const other of others) {
      assert(other.status === 200 || other.body.error.code === "IDENTITY_STATE_CONFLICT");
    }
    const { state, revision, view } = await read(caller, PUBLIC);
    const revoked = others.slice(0, 2).filter(({ status }) => status === 200).length;
    assert(revoked >= 1);
    assertEquals(revision, 2 + revoked);
    const seen = await look(world(), slug);
    assertEquals([seen.status, seen.body.data ?? null], [state === "REVOKED" ? 404 : 200, view]);
  }
});

/** Requires two concurrent transactions. */
function heldTest(name: string, test: (world: World, held: HeldDatabase) => Promise<void>): void {
  const fn = async () => {
    await using world = await createWorld();
    await test(world, holdAfterWrite(world.database));
  };
  Deno.test({ name, fn, ignore: ENGINE === "embedded" });
}

/** The first is released once the second waits. */
async function overtaken(
  world: World,
  held: HeldDatabase,
  first: () => Promise<TestResponse>,
  second: () => Promise<TestResponse>,
): Promise<[TestResponse, TestResponse]> {
  const sent = first();
  await held.reached;
  const waiting = second();
  await waitForBlocked(world, 1);
  held.letGo();
  return await Promise.all([sent, waiting]);
}

/** A caller with a proof, on the held database. */
async function publisher(world: World, held: HeldDatabase): Promise<{
  readonly caller: Caller;
  readonly slow: Caller;
  readonly proof: Record<string, string>;
}> {
  const caller = await world.createCaller();
  const { profileId } = await introduce(caller, WHOLE_PROFILE);
  const slow = callerOf(world.again({ database: held.database }), caller);
  return { caller, slow, proof: await publishProof(world, caller, profileId) };
}

heldTest(
  "A slug being published by another owner is awaited, then taken",
  async (world, held) => {
    const { slow, proof } = await publisher(world, held);
    const other = await world.createCaller();
    const { profileId } = await introduce(other);
    const otherProof = await publishProof(world, other, profileId);
    const wish = { slug: "one-slug", fields: ["displayName"] };
    const [first, second] = await overtaken(
      world,
      held,
      () => post(slow, PUBLISH, wish, proof),
      () => post(other, PUBLISH, wish, otherProof),
    );
    assertEquals(first.status, 200, first.text);
    assertFailure(second, "IDENTITY_STATE_CONFLICT");
    assertEquals((await look(world, "one-slug")).body.data, first.body.data.view);
    const own = await post(other, PUBLISH, { ...wish, slug: "another" }, otherProof);
    assertEquals(own.status, 200, own.text);
  },
);

heldTest("A revocation waits for a publication and ends it", async (world, held) => {
  const { caller, slow, proof } = await publisher(world, held);
  await published(world, caller, { slug: "the-first", fields: ["tags"] });
  const wish = { slug: "the-second", fields: ["displayName"] };
  const [publication, revocation] = await overtaken(
    world,
    held,
    () => post(slow, PUBLISH, wish, proof),
    () => post(caller, REVOKE, {}),
  );
  assertEquals([publication.status, revocation.status], [200, 200], revocation.text);
  const { slug, state, revision } = revocation.body.data;
  assertEquals([slug, state, revision], ["the-second", "REVOKED", 3]);
  assertEquals((await look(world, "the-second")).status, 404);
});

heldTest("A refresh waits for a profile change and shows it", async (world, held) => {
  const { caller, slow } = await publisher(world, held);
  await published(world, caller, { slug: "a-slug", fields: ["displayName"] });
  const change = { expectedRevision: 1, set: { displayName: "Eda" } };
  const [changed, refreshed] = await overtaken(
    world,
    held,
    () => slow.call("PATCH", "/api/v2/identity/profile", { key: "a-key", body: change }),
    () => post(caller, REFRESH, {}),
  );
  assertEquals([changed.status, refreshed.status], [200, 200], refreshed.text);
  const { view, profileRevision } = refreshed.body.data;
  assertEquals([view.displayName, profileRevision], ["Eda", 2]);
});

heldTest(
  "A proof wanted by two publications is awaited, then used up",
  async (world, held) => {
    const { caller, slow, proof } = await publisher(world, held);
    const [first, second] = await overtaken(
      world,
      held,
      () => post(slow, PUBLISH, { slug: "one", fields: ["tags"] }, proof),
      () => post(caller, PUBLISH, { slug: "two", fields: ["tags"] }, proof),
    );
    assertEquals(first.status, 200, first.text);
    assertFailure(second, "STEP_UP_REQUIRED");
  },
);

/** Concurrent requests about memories, at two applications. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  DRAFTS,
  EXPORTS,
  MEMORY,
  post,
  read,
  remember,
  textPath,
  TEXTS,
} from "../families/memory/api.ts";
import { proofOf } from "../support/tokens.ts";
import { sharedWorld, type TestResponse } from "../support/world.ts";
import { twoProcesses } from "./holding.ts";

const world = sharedWorld();

function statuses(answers: readonly TestResponse[]): number[] {
  return answers.map(({ status }) => status).sort();
}

Deno.test("Of concurrent revisions that expect the same revision one wins", async () => {
  const [here, there] = await twoProcesses(world());
  for (let round = 0; round < 5; round++) {
    const memory = await remember(here);
    const answers = await Promise.all(
      [here, there, here, there].map((caller, index) =>
        post(caller, textPath(memory, "/revisions"), { expectedRevision: 1, title: `${index}` })
      ),
    );
    assertEquals(statuses(answers), [200, 409, 409, 409]);
    assertEquals((await read(here, textPath(memory, "/revisions"))).items.length, 2);
  }
});

Deno.test("A concurrent save and commit of a draft lose no acknowledged text", async () => {
  const [here, there] = await twoProcesses(world());
  for (let round = 0; round < 8; round++) {
    const draftId = ulid();
    const path = `${DRAFTS}/${draftId}`;
    const save = (draftVersion: number) =>
      there.call("PUT", path, {
        body: { draftVersion, content: { ...MEMORY, title: `Version ${draftVersion}` } },
      });
    await save(1);
    const [saved, committed] = await Promise.all(
      round % 2 === 0
        ? [save(2), here.call("POST", `${path}/commit`)]
        : [here.call("POST", `${path}/commit`), save(2)].toReversed(),
    ) as [TestResponse, TestResponse];
    assertEquals(committed.status, 201, committed.text);
    assert(saved.status === 200 || saved.body.error.code === "MEMORY_STATE_CONFLICT", saved.text);
    const title = saved.status === 200 ? "Version 2" : "Version 1";
    assertEquals(committed.body.data.title, title);
    assertEquals((await read(here, path)).content.title, title);
  }
});

Deno.test("Concurrent commits of a draft commit once", async () => {
  const [here, there] = await twoProcesses(world());
  const memory = await remember(here);
  const [creating, revising] = [ulid(), ulid()];
  const { memoryId } = memory;
  const bodies = {
    [creating]: { content: MEMORY },
    [revising]: { memoryId, content: { title: "B" } },
  };
  for (const [draftId, body] of Object.entries(bodies)) {
    await here.call("PUT", `${DRAFTS}/${draftId}`, { body: { draftVersion: 1, ...body } });
    const answers = await Promise.all(
      [here, there, here, there].map((caller) =>
        caller.call("POST", `${DRAFTS}/${draftId}/commit`, { body: { expectedRevision: 1 } })
      ),
    );
    for (const { status, body } of answers) {
      assertEquals([status, body.data], [answers[0]?.status, answers[0]?.body.data]);
    }
  }
  assertEquals((await read(here, TEXTS)).items.length, 2);
  assertEquals((await read(here, textPath(memory))).revision, 2);
});

Deno.test("Of concurrent first saves the highest version stays", async () => {
  const [here, there] = await twoProcesses(world());
  for (let round = 0; round < 5; round++) {
    const path = `${DRAFTS}/${ulid()}`;
    const answers = await Promise.all(
      [3, 1, 4, 2].map((draftVersion, index) =>
        (index % 2 === 0 ? here : there).call("PUT", path, {
          body: { draftVersion, content: { title: `${draftVersion}` } },
        })
      ),
    );
    for (const { status, body } of answers) {
      assert(status === 200 || body.error.code === "MEMORY_STATE_CONFLICT", body);
    }
    const { draftVersion, content } = await read(here, path);
    assertEquals([draftVersion, content], [4, { title: "4" }]);
  }
});

Deno.test("A proof used twice at once works once", async () => {
  const [here, there] = await twoProcesses(world());
  for (let round = 0; round < 5; round++) {
    const memories = [await remember(here), await remember(here)] as const;
    const lowering = await proofOf(world(), here, "MEMORY_PRIVACY_DOWNGRADE");
    const body = { expectedRevision: 1, privacyLevel: "NORMAL" };
    const lowered = await Promise.all([
      post(here, textPath(memories[0], "/privacy"), body, lowering),
      post(there, textPath(memories[1], "/privacy"), body, lowering),
    ]);
    assertEquals(statuses(lowered), [200, 403]);
    const exporting = await proofOf(world(), here, "MEMORY_SECRET_EXPORT");
    const wish = { format: "JSON", includeSecret: true };
    const exported = await Promise.all([
      post(here, EXPORTS, wish, exporting),
      post(there, EXPORTS, wish, exporting),
    ]);
    assertEquals(statuses(exported), [201, 403]);
  }
});

Deno.test("A memory that becomes SECRET during a revision is consistent in every revision", async () => {
  const [here, there] = await twoProcesses(world());
  for (let round = 0; round < 5; round++) {
    const memory = await remember(here);
    await Promise.all([
      post(here, textPath(memory, "/privacy"), { expectedRevision: 1, privacyLevel: "SECRET" }),
      post(there, textPath(memory, "/revisions"), { expectedRevision: 1, title: "B" }),
      post(there, textPath(memory, "/archive"), {}),
    ]);
    const { revision } = await read(here, textPath(memory));
    assertEquals((await read(here, textPath(memory, "/revisions"))).items.length, revision);
    const parted = await world().rows(`
      select 1 from memories m join records r
        on r.owner_id = m.owner_id and r.record_id = m.memory_id
       where m.revision <> r.revision or (m.privacy_level = 'SECRET') <> (r.guard is not null)`);
    assertEquals([...parted], []);
  }
});

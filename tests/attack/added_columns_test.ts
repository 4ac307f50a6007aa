/**
 * A newer release adds columns to every table while this one serves: no statement depends on how many a
 * table has. One whose outer columns were `*` of a table would be refused by the sessions that have
 * prepared it ("cached plan must not change result type"), and answered 503.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { AUTH, givePassword, PASSWORD } from "../http/access.ts";
import { COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { DRAFTS, MEMORY, memoryExample, TEXTS } from "../http/memory.ts";
import { uploaded } from "../support/attachments.ts";
import { type CallOptions, createWorld, type Person, type World } from "../support/world.ts";

/** Uses every family of statements; each call must be one that succeeds. */
async function useEverything(world: World, person: Person): Promise<void> {
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const key = method === "POST" && !path.startsWith(AUTH) ? { key: ulid() } : {};
    const response = await person.call(method, path, { ...key, ...options });
    assert(response.status < 300, `${method} ${path}: ${response.text}`);
    return response.body?.data;
  };
  const record = await person.create("commitment", COMMITMENT);
  const path = pathOf(record);
  await call("PATCH", path, { body: { title: "B", expectedRevision: 1 } });
  await call("POST", `${path}/archive`, { body: { expectedRevision: 2 } });
  await call("POST", `${path}/restore`, { body: { expectedRevision: 3 } });
  for (const below of ["", "/revisions", "/executions"]) {
    await call("GET", path + below);
  }
  for (const sort of ["-createdAt", "updatedAt"]) {
    await call("GET", `${COMMITMENTS}?sort=${sort}&archived=include`);
    await call("GET", `${COMMITMENTS}?sort=${sort}&filter[completionStatus]=OPEN`);
  }
  const attachment = await uploaded(person, "a note");
  for (const below of ["", `/${attachment}`, `/${attachment}/content`]) {
    assertEquals((await person.call("GET", `/api/v2/attachments${below}`)).status, 200);
  }
  const { memoryId, sliceId, draftId, executionId } = await memoryExample(person);
  const memory = `${TEXTS}/${memoryId}`;
  await call("POST", `${memory}/revisions`, { body: { expectedRevision: 2, title: "B" } });
  await call("PUT", `${DRAFTS}/${draftId}`, { body: { draftVersion: 2, content: MEMORY } });
  for (
    const read of [
      ...[TEXTS, memory, `${memory}/revisions`, `${memory}/revisions/1`, `${memory}/slices`],
      ...[`${memory}/slices/${sliceId}`, DRAFTS, `${DRAFTS}/${draftId}`],
      ...[`/api/v2/memory/exports/${executionId}`, "/api/v2/audit", "/api/v2/audit?kind=access"],
      ...[`${AUTH}/session`, `${AUTH}/sessions`, `${AUTH}/tokens`],
    ]
  ) {
    const response = await person.call("GET", read);
    assert(response.status === 200, `GET ${read}: ${response.text}`);
  }
  const body = { password: PASSWORD, purpose: "IDENTITY_PUBLISH" };
  assertEquals((await person.call("POST", `${AUTH}/step-up`, { body })).status, 200);
  assertEquals((await world.call("GET", "/readyz")).status, 200);
}

Deno.test("Columns that are added to every table disturb no statement", async () => {
  await using world = await createWorld();
  const person = await world.person();
  await givePassword(world, person);
  await useEverything(world, person);
  await world.raw(`
    do $$ declare place regclass; begin
      for place in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      loop execute format('alter table %s add column of_a_newer_release text', place); end loop;
    end $$`);
  const from = world.log.length;
  await useEverything(world, person);
  const failures = world.log.slice(from).filter(({ level }) => level !== "info");
  assertEquals(failures, []);
});

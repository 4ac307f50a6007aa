/** Concurrent requests about one tree and namespace. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { assertFailure } from "../http/kernel.ts";
import { post } from "../families/memory/api.ts";
import {
  actOn,
  ASSIGNMENTS,
  carrying,
  CATEGORIES,
  category,
  fileOf,
  fileTerm,
  IMPORTS,
  makeRecord,
  patch,
  tag,
  TAGS,
  termPath,
} from "../families/taxonomy/api.ts";
import { seededRandom } from "../support/random.ts";
import {
  type Caller,
  callerOf,
  ENGINE,
  type Json,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const world = sharedWorld();

const WORKERS = 8;
/** The built-in engine runs one transaction at a time: a few rounds are enough. */
const ROUNDS = ENGINE === "postgres" ? 40 : 10;

/** Signs one caller in at each process. */
async function processes(count: number): Promise<Caller[]> {
  const caller = await world().createCaller();
  return [caller, ...Array.from({ length: count - 1 }, () => callerOf(world().again(), caller))];
}

/** Violations of invariants. */
function contradictions({ accountId }: Caller): string {
  return `
    with recursive placed as (
      select term_id, 1 as level from taxonomy_terms
       where owner_id = '${accountId}' and kind = 'CATEGORY' and parent_id is null
      union all
      select t.term_id, level + 1 from placed join taxonomy_terms t on t.parent_id = placed.term_id
       where level < 20
    ), names as (
      select t.term_id, t.name as spelling from taxonomy_terms t
       where t.owner_id = '${accountId}' and t.merged_into is null
      union all
      select t.term_id, json_array_elements_text(t.aliases) from taxonomy_terms t
       where t.owner_id = '${accountId}' and t.merged_into is null
    ), stored as (
      select term_id, spelling from taxonomy_names where owner_id = '${accountId}'
    )
    select 'on a ninth level' as what, term_id from placed where level > 8
    union all
    select 'below itself', term_id from taxonomy_terms t
     where t.owner_id = '${accountId}' and t.kind = 'CATEGORY'
       and not exists (select from placed where placed.term_id = t.term_id)
    union all
    select 'below an inactive one', t.term_id from taxonomy_terms t join taxonomy_terms p
        on p.term_id = t.parent_id
     where t.owner_id = '${accountId}' and t.deactivated_at is null and p.deactivated_at is not null
    union all
    select 'with other names', term_id from (
      (select * from names except all select * from stored)
      union all
      (select * from stored except all select * from names)) differing
    union all
    select 'not as its newest revision', t.term_id from taxonomy_terms t
     where t.owner_id = '${accountId}' and (
         t.revision, t.revision_id, t.name, t.aliases::text, t.parent_id, t.deactivated_at)
       is distinct from (
         select (r.revision, r.revision_id, r.name, r.aliases::text, r.parent_id, r.deactivated_at)
           from taxonomy_term_revisions r
          where r.owner_id = t.owner_id and r.term_id = t.term_id
          order by r.revision desc limit 1)
    union all
    select 'not as its record', t.term_id from taxonomy_terms t
     where t.owner_id = '${accountId}' and not exists (
       select from records r
        where r.owner_id = t.owner_id and r.record_id = t.term_id and r.revision = t.revision
          and r.title = t.name and r.archived_at is not distinct from t.deactivated_at)
    union all
    select 'merged, and carried', a.term_id from taxonomy_assignments a join taxonomy_terms t
        using (owner_id, term_id)
     where a.owner_id = '${accountId}' and a.removed_at is null and t.merged_into is not null`;
}

/** Allowed responses, consistent rows. */
async function assertSound(caller: Caller, responses: readonly TestResponse[]): Promise<void> {
  for (const { status, text } of responses) assert([200, 201, 409].includes(status), text);
  assertEquals([...await world().rows(contradictions(caller))], []);
}

Deno.test("Concurrent moves, deactivations and activations leave a tree of eight levels without a cycle", async () => {
  const workers = await processes(WORKERS);
  const [caller] = workers as [Caller];
  const random = seededRandom(18);
  const terms: Json[] = [];
  // Three deep branches, close to the limits.
  for (let index = 0; index < 12; index++) {
    terms.push(await category(caller, `Category ${index}`, index % 4 === 0 ? null : terms.at(-1)));
  }
  const revisions = new Map<string, number>();
  const write = (worker: Caller, round: number): Promise<TestResponse> => {
    const term = random.pick(terms);
    const expectedRevision = revisions.get(term.termId) ?? 1;
    const parentId = random.chance(0.1) ? null : random.pick(terms).termId;
    const choice = random.next();
    if (choice < 0.6) return post(worker, termPath(term, "/move"), { expectedRevision, parentId });
    if (choice < 0.75) return post(worker, termPath(term, "/deactivate"), {});
    if (choice < 0.95 || terms.length > 30) return post(worker, termPath(term, "/reactivate"), {});
    return post(worker, CATEGORIES, {
      name: `${round} ${ulid()}`,
      ...(parentId !== null && { parentId }),
    });
  };
  const codes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const responses = await Promise.all(workers.map((worker) => write(worker, round)));
    await assertSound(caller, responses);
    for (const { status, body } of responses) {
      if (status === 409) codes.add(body.error.code);
      else revisions.set(body.data.termId, body.data.revision);
      if (status === 201) terms.push(body.data);
    }
    for (const { termId, revision } of await stored(caller)) revisions.set(termId, revision);
  }
  if (ENGINE !== "postgres") return;
  assertEquals([...codes].sort(), [
    "REVISION_CONFLICT",
    "TAXONOMY_CATEGORY_CYCLE",
    "TAXONOMY_CATEGORY_DEPTH_EXCEEDED",
    "TAXONOMY_CATEGORY_PARENT_INVALID",
    "TAXONOMY_STATE_CONFLICT",
  ]);
});

async function stored({ accountId }: Caller): Promise<Json[]> {
  return await world().rows(`
    select term_id as "termId", revision, merged_into is null as "isOpen" from taxonomy_terms
     where owner_id = '${accountId}'`);
}

Deno.test("Concurrently given, taken and merged names belong to one term each", async () => {
  const workers = await processes(WORKERS);
  const [caller] = workers as [Caller];
  const random = seededRandom(19);
  const records = [await makeRecord(caller), await makeRecord(caller)];
  const names = Array.from({ length: 60 }, (_, index) => `Name ${index}`);
  const spelt = () =>
    random.pick([(name: string) => name, (name: string) => name.toUpperCase()])(
      random.pick(names),
    );
  const listed = (
    count: number,
  ) => [...new Set(Array.from({ length: count }, () => random.pick(names)))];
  let terms: Json[] = [];
  const write = (worker: Caller): Promise<TestResponse> => {
    const choice = random.next();
    if (terms.length < 4 || choice < 0.15) {
      const [name = "", ...aliases] = listed(3);
      return post(worker, TAGS, { name, aliases });
    }
    const { termId, revision: expectedRevision } = random.pick(terms);
    const path = `${TAGS}/${termId}`;
    if (choice < 0.45) {
      const body = { expectedRevision, name: spelt(), keepAlias: random.chance(0.5) };
      return post(worker, `${path}/rename`, body);
    }
    if (choice < 0.65) {
      return patch(worker, path, { expectedRevision, set: { aliases: [ulid()] } });
    }
    if (choice < 0.75) {
      const file = fileOf(listed(2).map((name) => fileTerm("TAG", name)), "SKIP");
      return post(worker, IMPORTS, file);
    }
    if (choice < 0.85) {
      const body = { expectedRevision, intoId: random.pick(terms).termId };
      return post(worker, `${path}/merge`, body);
    }
    return post(worker, ASSIGNMENTS, carrying({ termId }, random.pick(records)));
  };
  const codes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const responses = await Promise.all(workers.map(write));
    await assertSound(caller, responses);
    for (const { status, body } of responses) if (status === 409) codes.add(body.error.code);
    // All workers use the same few terms.
    const open = (await stored(caller)).filter(({ isOpen }) => isOpen);
    terms = Array.from({ length: 4 }, () => random.pick(open));
  }
  if (ENGINE !== "postgres") return;
  assertEquals([...codes].sort(), [
    "REVISION_CONFLICT",
    "TAXONOMY_STATE_CONFLICT",
    "TAXONOMY_TAG_NAME_CONFLICT",
  ]);
});

Deno.test("Of two tags merged into each other one merge succeeds; so with crosswise renames", async () => {
  const [here, there] = await processes(2) as [Caller, Caller];
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await tag(here, `One ${round}`), await tag(here, `Other ${round}`)];
    const into = (target: Json) => ({ expectedRevision: 1, intoId: target.termId });
    const merged = await Promise.all([
      post(here, termPath(one, "/merge"), into(other)),
      post(there, termPath(other, "/merge"), into(one)),
    ]);
    assertEquals(merged.map(({ status }) => status).sort(), [200, 409], merged[0].text);
    const [left, right] = [await tag(here, `Left ${round}`), await tag(here, `Right ${round}`)];
    const crossed = await Promise.all([
      post(here, termPath(left, "/rename"), { expectedRevision: 1, name: `right ${round}` }),
      post(there, termPath(right, "/rename"), { expectedRevision: 1, name: `left ${round}` }),
    ]);
    for (const response of crossed) assertFailure(response, "TAXONOMY_TAG_NAME_CONFLICT");
    const renamed = await actOn(here, left, "rename", { name: `Free ${round}` });
    assertEquals((await actOn(here, right, "rename", { name: `left ${round}` })).revision, 2);
    assertEquals(renamed.revision, 2);
  }
});

Deno.test("Of concurrent assignments of one record and term one exists", async () => {
  const workers = await processes(4);
  const [caller] = workers as [Caller];
  const record = await makeRecord(caller);
  for (let round = 0; round < 5; round++) {
    const term = await tag(caller, `Tag ${round}`);
    const responses = await Promise.all(
      workers.map((worker) => post(worker, ASSIGNMENTS, carrying(term, record))),
    );
    const ids = responses.map(({ status, body }) => [status, body.data.assignmentId]);
    assertEquals(new Set(ids.map(String)).size, 1, JSON.stringify(ids));
  }
});

// engines: postgres
/** Plans of resource statements: all use an index. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import {
  NETWORK,
  OVERLOAD_ANALYSES,
  RESOURCE_EXPORTS,
  RESOURCES,
} from "../families/resource/api.ts";
import { type Caller, callerOf, createWorld, type World } from "../support/world.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";

const COUNT = 1_000;

/** Also of its first snapshot. */
function idOf(number: number): string {
  return `01KA${String(number).padStart(22, "0")}`;
}

const CONTENT = "resource_type, name, unit, capacity, available, archived_at";

/** Two thirds archived, a quarter in the network; three snapshots each. */
function resourcesOf({ accountId }: Caller): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', '01KA' || lpad(i::text, 22, '0'), 'resource', 1,
             '01MA' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(), 'A', '', '{}'
        from generate_series(1, ${COUNT}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where owner_id = '${accountId}';
    insert into resources (owner_id, resource_id, revision, revision_id, created_at, updated_at,
                           ${CONTENT})
      select owner_id, record_id, 1, revision_id, created_at, updated_at,
             case when n % 4 = 0 then 'NETWORK' else 'TIME' end, 'A', 'B', 10, n % 10,
             case when n % 3 > 0 then created_at end
        from (select *, right(record_id, 10)::integer as n from records
               where owner_id = '${accountId}') r;
    insert into resource_revisions (owner_id, resource_id, revision, revision_id, change, created_at,
                                    ${CONTENT})
      select owner_id, resource_id, 1, revision_id, 'CREATED', updated_at, ${CONTENT}
        from resources where owner_id = '${accountId}';
    insert into resource_snapshots (owner_id, snapshot_id, resource_id, resource_revision,
                                    observed_at, amount, created_at)
      select owner_id, case i when 1 then resource_id else overlay(resource_id placing i::text from 5)
             end, resource_id, 1, now() - i * interval '1 hour', i, now()
        from resources, generate_series(1, 3) i where owner_id = '${accountId}';
    insert into executions (owner_id, execution_id, module_code, feature_id, strategy, status, output,
                            created_at)
      select owner_id, overlay(resource_id placing feature from 5), 'resource', 'RES-00' || feature,
             'export', 'SUCCEEDED', '{}', created_at
        from resources, unnest('{7,8}'::text[]) feature where owner_id = '${accountId}';`;
}

/** Sends a call while another owner has as many rows. */
type StatementsOf = (
  method: string,
  path: string,
  body?: JsonObject,
) => Promise<readonly SentStatement[]>;

async function prepare(world: World): Promise<StatementsOf> {
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  await world.raw(`${resourcesOf(owner)} ${resourcesOf(other)} analyze`);
  const recording = createRecordingDatabase(world.database);
  const caller = callerOf(world.again({ database: recording.database }), owner);
  return async (method, path, body) => {
    const sent = await recording.during(async () => {
      const options = body === undefined ? {} : { key: ulid(), body };
      const response = await caller.call(method, path, options);
      assertEquals(response.status, body === undefined ? 200 : 201, `${path}: ${response.text}`);
    });
    // Without the credential look-up.
    const reads = sent.filter(({ text }) =>
      /\b(resource|executions)/.test(text) && !/\binsert\b/.test(text)
    );
    assert(reads.length >= 1, path);
    return reads;
  };
}

async function assertPlans(
  world: World,
  statements: readonly SentStatement[],
  check: typeof assertWalks,
): Promise<void> {
  for (const statement of statements) {
    for (const plan of await plansOf(world, statement)) check(plan, statement.text);
  }
}

Deno.test("Every list uses an index, and so do analyses and exports", async () => {
  await using world = await createWorld();
  const statementsOf = await prepare(world);
  const resource = `${RESOURCES}/${idOf(7)}`;
  const executions = [OVERLOAD_ANALYSES, RESOURCE_EXPORTS].map((path, index) => ({
    path,
    id: `01KA${index + 7}${idOf(500).slice(5)}`,
  }));
  const paths = [
    ...["exclude", "only", "include"].flatMap((archived) => [
      `${RESOURCES}?archived=${archived}`,
      `${RESOURCES}?archived=${archived}&resourceType=NETWORK&cursor=${idOf(500)}`,
    ]),
    resource,
    `${resource}?revision=1`,
    `${resource}/revisions`,
    `${resource}/snapshots`,
    `${resource}/snapshots?cursor=${idOf(7)}`,
    `${resource}/snapshots/${idOf(7)}`,
    NETWORK,
    `${NETWORK}?cursor=${idOf(500)}`,
    ...executions.flatMap(({ path, id }) => [path, `${path}?cursor=${id}`, `${path}/${id}`]),
  ];
  for (const path of paths) {
    await assertPlans(world, await statementsOf("GET", path), assertWalks);
  }
  const resourceIds = Array.from({ length: 500 }, (_, index) => idOf(index + 1));
  for (const body of [{}, { resourceIds }]) {
    await assertPlans(world, await statementsOf("POST", OVERLOAD_ANALYSES, body), assertSeeks);
  }
  for (const dataset of ["RESOURCES", "SNAPSHOTS"]) {
    const reads = await statementsOf("POST", RESOURCE_EXPORTS, { format: "CSV", dataset });
    assertEquals(reads.length, 2, "One statement chooses the rows, one reads their texts");
    await assertPlans(world, reads, assertSeeks);
  }
});

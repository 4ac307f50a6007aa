/** Atomic writes of identity. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, fileWorld } from "../support/world.ts";
import {
  CONFIRMED,
  IDENTITY_BASE,
  introduce,
  LEGACY_DRILLS,
  LEGACY_PLAN,
  PLAN_BODY,
  PROFILE,
  roleBody,
  ROLES,
  SNAPSHOTS,
  stageBody,
  STAGES,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { IMPORT_BODY, IMPORTS } from "../families/identity/import.ts";
import { newSlug, PUBLISH, published, REFRESH, REVOKE } from "../families/identity/public.ts";
import { done } from "../families/memory/api.ts";

const world = fileWorld();

/** One object of each kind. */
async function fillIdentity(caller: Caller): Promise<string> {
  await introduce(caller, WHOLE_PROFILE);
  const { stageId } = await done(caller, STAGES, stageBody(2000, 2010));
  await done(caller, ROLES, roleBody(2005));
  await done(caller, SNAPSHOTS, { label: "A" });
  await published(world(), caller, { slug: newSlug(), fields: ["displayName", "currentRole"] });
  // So that a refresh has an effect.
  await done(caller, ROLES, roleBody(2006));
  await done(caller, LEGACY_PLAN, PLAN_BODY);
  return stageId;
}

const SIDE = { kind: "PROFILE_REVISION", revision: 1 };

/** With bodies, and purposes of proofs. */
const WRITES: readonly [string, JsonObject, ("IDENTITY_PUBLISH" | "IDENTITY_LEGACY_DRILL")?][] = [
  [`PATCH ${PROFILE}`, { expectedRevision: 3, set: { displayName: "Eda" } }],
  [`POST ${STAGES}`, stageBody(2010)],
  [`PATCH ${STAGES}/:stageId`, { expectedRevision: 1, set: { title: "B" } }],
  [`POST ${STAGES}/:stageId/archive`, {}],
  [`POST ${ROLES}`, roleBody(2007)],
  [`POST ${SNAPSHOTS}`, { label: "B" }],
  [`POST ${IDENTITY_BASE}/comparisons`, { left: SIDE, right: SIDE }],
  [`POST ${PUBLISH}`, { slug: newSlug(), fields: ["tags"] }, "IDENTITY_PUBLISH"],
  [`POST ${REFRESH}`, {}],
  [`POST ${REVOKE}`, {}],
  [`POST ${LEGACY_PLAN}`, { ...PLAN_BODY, expectedRevision: 1 }],
  [`POST ${LEGACY_DRILLS}`, CONFIRMED, "IDENTITY_LEGACY_DRILL"],
  [`POST ${IMPORTS}`, IMPORT_BODY],
];

async function tablesOfIdentity(): Promise<string[]> {
  const rows = await world().rows(`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name like 'identity%'`);
  const common = ["executions", "step_up_proofs", "audit_entries", "idempotency_envelopes"];
  return [...rows.map(({ name }) => name), ...common];
}

for (const [route, body, purpose] of WRITES) {
  Deno.test(`${route} leaves nothing wherever it breaks off, and then succeeds`, async () => {
    const faulty = faultyDatabase(world().database);
    const identity = await world().createCaller();
    const caller = callerOf(world().again({ database: faulty.database }), identity);
    const stageId = await fillIdentity(identity);
    const headers = purpose === undefined ? {} : await proofOf(world(), identity, purpose);
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replace(":stageId", stageId);
    const key = ulid();
    const send = () => caller.call(method, path, { key, body, headers });
    await assertWholeOrNothing(world(), faulty, await tablesOfIdentity(), send);
  });
}

Deno.test("The first profile, typed or imported, leaves nothing wherever it breaks off", async () => {
  const bodies: [string, JsonObject][] = [[PROFILE, WHOLE_PROFILE], [IMPORTS, IMPORT_BODY]];
  for (const [path, body] of bodies) {
    const faulty = faultyDatabase(world().database);
    const caller = callerOf(
      world().again({ database: faulty.database }),
      await world().createCaller(),
    );
    const key = ulid();
    const send = () => caller.call("POST", path, { key, body });
    await assertWholeOrNothing(world(), faulty, await tablesOfIdentity(), send);
  }
});

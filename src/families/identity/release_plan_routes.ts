/** IDN-007: the release plan and its drills. Nothing is delivered. */

import { commandOf, type CommandResult, type PlannedWrite } from "../../command/command.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { entryEndpoints } from "../../kit/entry.ts";
import { type ProofServices, spendProof } from "../../kit/proof.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { created, ok, replying } from "../../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { type InferObject, readBody, refuseQuery } from "../../validate/schema.ts";
import { decideDrill, DRILL_BODY, showDrill } from "./release_drill.ts";
import {
  decideLegacyPlan,
  LEGACY_PLAN_BODY,
  LEGACY_PLAN_SCHEMA,
  type LegacyPlan,
  type LegacyPlanRow,
  showLegacyPlan,
} from "./release_plan.ts";
import {
  DRILLS,
  findLegacyPlan,
  findLegacyPlanAt,
  writeDrill,
  writeLegacyPlan,
} from "./release_plan_store.ts";
import { onlyEndpoint } from "./only_endpoint.ts";
import type { ProfileRow } from "./profile.ts";
import { PROFILES } from "./profile_store.ts";

export function createLegacyReleaseEndpoints(services: ProofServices): {
  readonly plan: Readonly<Record<"keep" | "detail", Endpoint>>;
  readonly drills: Readonly<Record<"append" | "list" | "detail", Endpoint>>;
} {
  return {
    plan: {
      keep: keepEndpoint(services),
      detail: onlyEndpoint(services, {
        summary: "Read the release plan",
        schema: LEGACY_PLAN_SCHEMA,
        find: findLegacyPlan,
        show: showLegacyPlan,
      }),
    },
    drills: createDrillEndpoints(services),
  };
}

/** 201 for the first plan, which has revision 1; 200 for one that replaces it. */
function keepEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Create the release plan, or replace it as a whole",
      body: bodyOf(LEGACY_PLAN_BODY, {
        recipientDescription: "My sister",
        releaseCondition: "A year after I can no longer be reached.",
        fields: ["displayName", "biography"],
      }),
      responses: { 200: { data: LEGACY_PLAN_SCHEMA }, 201: { data: LEGACY_PLAN_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "REVISION_CONFLICT", "IDENTITY_STATE_CONFLICT"],
    },
    body: "json",
    parse: (call) => refuseQuery(call.query),
    async handle(call) {
      const body = readBody(LEGACY_PLAN_BODY, call.body);
      const { result, replayed } = await keepPlan(services, call, body);
      return replying(result.revision === 1 ? created(result, call.path) : ok(result), replayed);
    },
  });
}

function keepPlan(
  { commands, database }: FamilyServices,
  call: CheckedCall<unknown>,
  body: InferObject<typeof LEGACY_PLAN_BODY>,
): Promise<CommandResult<LegacyPlan>> {
  const owner = call.caller.account.accountId;
  const policy = "identity-legacy-plan";
  const command = commandOf(call, { module: "identity", policy, target: "" });
  return commands.run<ProfileRow, LegacyPlan, LegacyPlanRow | undefined>(command, {
    check: () => {},
    lock: (sql) => PROFILES.lock(sql, owner, {}),
    related: async (sql) => (await findLegacyPlan(sql, owner))[0],
    decide(profile, present): PlannedWrite<LegacyPlan> {
      if (profile === null) throw new ServiceError("IDENTITY_STATE_CONFLICT");
      const next = decideLegacyPlan(present, body, call.now);
      return {
        subjectId: next.row.plan_id,
        revision: next.row.revision,
        result: showLegacyPlan(next.row),
        statement: (sql, ledger) => writeLegacyPlan(sql, ledger, owner, next),
      };
    },
    async replay({ revision }) {
      const [row] = await database.read((sql) => findLegacyPlanAt(sql, owner, revision ?? 0));
      if (row === undefined) throw new Error("An envelope names a plan that does not exist");
      return showLegacyPlan(row);
    },
  });
}

function createDrillEndpoints(
  services: ProofServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, PROFILES, DRILLS, {
    append: {
      summary:
        "Hold a release drill: list the fields that would be released; requires a step-up proof",
      body: DRILL_BODY,
      example: { confirmation: "I understand nothing is delivered" },
      stepUp: "IDENTITY_LEGACY_DRILL",
      missing: "IDENTITY_STATE_CONFLICT",
      errors: [],
      related: async (sql, _profile, _body, { caller }) =>
        (await findLegacyPlan(sql, caller.account.accountId))[0],
      decide(profile, _body, { call, related: plan }) {
        if (plan === undefined) throw new ServiceError("IDENTITY_STATE_CONFLICT");
        const row = decideDrill(plan, profile, call.now);
        const use = { purpose: "IDENTITY_LEGACY_DRILL", targetId: plan.plan_id } as const;
        return {
          subjectId: row.drill_id,
          revision: null,
          executionId: row.drill_id,
          result: showDrill(row),
          verify: (sql) => spendProof(services, call, sql, use),
          statement: (sql, ledger) => writeDrill(sql, ledger, call.caller.account.accountId, row),
        };
      },
    },
    list: { summary: "List the drills, newest first", isEmptyWithoutRoot: true },
    detail: { summary: "Read a drill" },
  });
}

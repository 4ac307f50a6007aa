/** IDN-002: stages of a life. */

import { archivableListEndpoint } from "../../kit/archivable_list_routes.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createBelowEndpoint,
  detailEndpoint,
} from "../../kit/write_routes.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { PROFILES } from "./profile_store.ts";
import { decideStage, STAGE_FIELDS } from "./stage.ts";
import { STAGE_REVISIONS, STAGES, WITHOUT_OVERLAP } from "./stage_store.ts";

export function createStageEndpoints(
  services: FamilyServices,
): Readonly<
  Record<"create" | "list" | "detail" | "change" | "archive" | "restore" | "revisions", Endpoint>
> {
  const { root } = STAGES;
  const refusals = {
    errors: ["IDENTITY_STATE_CONFLICT"],
    options: () => WITHOUT_OVERLAP,
  } as const;
  return {
    create: createBelowEndpoint(services, PROFILES, root, {
      summary: "Add a stage; stages must not overlap",
      body: fieldsBody(STAGE_FIELDS.fields),
      example: {
        lifeStage: "EARLY_ADULTHOOD",
        title: "The years at the lake",
        startedAt: "2001-09-01T00:00:00Z",
        endedAt: "2006-06-30T00:00:00Z",
      },
      missing: "IDENTITY_STATE_CONFLICT",
      options: refusals.options,
      check: (body, now) => void decideStage(body, now),
      decide: (_profile, body, now) => decideStage(body, now),
    }),
    list: archivableListEndpoint(services, STAGES, "List the stages, newest first"),
    detail: detailEndpoint(services, root, { summary: "Read a stage" }),
    change: changeEndpoint(services, root, {
      ...patchRoute(root.idOf, STAGE_FIELDS),
      ...refusals,
      summary: "Change a stage",
      example: { expectedRevision: 1, set: { note: "The best years." } },
    }),
    ...archiveEndpoints(services, root, { noun: "stage", restoration: refusals }),
    revisions: listBelowEndpoint(services, root, STAGE_REVISIONS, {
      summary: "List the revisions of a stage, newest first",
    }),
  };
}

/** Endpoints of `/api/v2/identity`: the profile here, then one file a topic. */

import { IDENTITY } from "../../catalog/modules/identity.ts";
import { changeEndpoint, createEndpoint, detailEndpoint } from "../../kit/write_routes.ts";
import { fieldsBody } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import type { ProofServices } from "../../kit/proof.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint, PublicEndpoint } from "../../http/route.ts";
import { createComparisonEndpoints } from "./comparison_routes.ts";
import { createExportEndpoint } from "./export_routes.ts";
import { createImportEndpoint } from "./import_routes.ts";
import { createLegacyReleaseEndpoints } from "./release_plan_routes.ts";
import { decideProfile, PROFILE_PATCH } from "./profile.ts";
import { ONE_PROFILE, PROFILE_REVISIONS, PROFILES } from "./profile_store.ts";
import { createPublicViewEndpoint } from "./public_view_routes.ts";
import { createPublicationEndpoints } from "./publication_routes.ts";
import { createRoleEndpoints } from "./role_routes.ts";
import { createSnapshotEndpoints } from "./snapshot_routes.ts";
import { createStageEndpoints } from "./stage_routes.ts";

export interface IdentityEndpoints {
  readonly profile: ReturnType<typeof createProfileEndpoints>;
  readonly stages: ReturnType<typeof createStageEndpoints>;
  readonly roles: ReturnType<typeof createRoleEndpoints>;
  readonly snapshots: ReturnType<typeof createSnapshotEndpoints>;
  readonly comparisons: ReturnType<typeof createComparisonEndpoints>;
  readonly publication: ReturnType<typeof createPublicationEndpoints>;
  readonly publicView: PublicEndpoint;
  readonly legacyRelease: ReturnType<typeof createLegacyReleaseEndpoints>;
  readonly imports: Endpoint;
  readonly exports: Endpoint;
}

export function createIdentityEndpoints(services: ProofServices): IdentityEndpoints {
  return {
    profile: createProfileEndpoints(services),
    stages: createStageEndpoints(services),
    roles: createRoleEndpoints(services),
    snapshots: createSnapshotEndpoints(services),
    comparisons: createComparisonEndpoints(services),
    publication: createPublicationEndpoints(services),
    publicView: createPublicViewEndpoint(services),
    legacyRelease: createLegacyReleaseEndpoints(services),
    imports: createImportEndpoint(services),
    exports: createExportEndpoint(services),
  };
}

/** `/profile` (IDN-001). */
function createProfileEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "detail" | "change" | "revisions", Endpoint>> {
  return {
    create: createEndpoint(services, PROFILES, {
      summary: "Create the profile; an account has one",
      body: fieldsBody(IDENTITY),
      example: { displayName: "Ada", currentRole: "Engineer", tags: ["rowing"] },
      errors: ["IDENTITY_STATE_CONFLICT"],
      options: () => ONE_PROFILE,
      decide: decideProfile,
    }),
    detail: detailEndpoint(services, PROFILES, { summary: "Read the profile", revisions: true }),
    change: changeEndpoint(services, PROFILES, {
      ...PROFILE_PATCH,
      summary: "Change the profile",
      example: { expectedRevision: 1, set: { publicSummary: "Rows before work." } },
      errors: ["IDENTITY_STATE_CONFLICT"],
    }),
    revisions: listBelowEndpoint(services, PROFILES, PROFILE_REVISIONS, {
      summary: "List the revisions of the profile, newest first",
    }),
  };
}

/** Endpoints of `/api/v2/relationship`, one file a topic. */

import { createContactEndpoints } from "./contact_routes.ts";
import { createDatesEndpoint } from "./date_routes.ts";
import { createDetailEndpoints } from "./detail_routes.ts";
import { createEvaluationEndpoints } from "./evaluation_routes.ts";
import { createEvidenceEndpoints } from "./evidence_routes.ts";
import { createExperienceEndpoints } from "./experience_routes.ts";
import { createPeopleEndpoints } from "./person_routes.ts";
import { createProposalEndpoints } from "./proposal_routes.ts";
import { createStatusEndpoints } from "./status_routes.ts";
import type { RelationshipServices } from "./person_store.ts";
import { createTimelineEndpoints } from "./timeline_routes.ts";
import { createCardEndpoint, createExportEndpoints } from "./vcard_routes.ts";

export interface RelationshipEndpoints {
  readonly people: ReturnType<typeof createPeopleEndpoints>;
  readonly status: ReturnType<typeof createStatusEndpoints>;
  readonly experiences: ReturnType<typeof createExperienceEndpoints>;
  readonly contacts: ReturnType<typeof createContactEndpoints>;
  readonly dates: ReturnType<typeof createDatesEndpoint>;
  readonly details: ReturnType<typeof createDetailEndpoints>;
  readonly evidence: ReturnType<typeof createEvidenceEndpoints>;
  readonly proposals: ReturnType<typeof createProposalEndpoints>;
  readonly evaluations: ReturnType<typeof createEvaluationEndpoints>;
  readonly timeline: ReturnType<typeof createTimelineEndpoints>;
  readonly vcard: ReturnType<typeof createCardEndpoint>;
  readonly exports: ReturnType<typeof createExportEndpoints>;
}

export function createRelationshipEndpoints(services: RelationshipServices): RelationshipEndpoints {
  return {
    people: createPeopleEndpoints(services),
    status: createStatusEndpoints(services),
    experiences: createExperienceEndpoints(services),
    contacts: createContactEndpoints(services),
    dates: createDatesEndpoint(services),
    details: createDetailEndpoints(services),
    evidence: createEvidenceEndpoints(services),
    proposals: createProposalEndpoints(services),
    evaluations: createEvaluationEndpoints(services),
    timeline: createTimelineEndpoints(services),
    vcard: createCardEndpoint(services),
    exports: createExportEndpoints(services),
  };
}

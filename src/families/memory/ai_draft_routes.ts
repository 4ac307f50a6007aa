/** MEM-005: a model's draft, kept apart from the person's text until the person decides. */

import { changeEndpoint } from "../../kit/write_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { decideAdopt, decideAiDraft, decideReject } from "./memory_rules.ts";
import { ADOPT_BODY, AI_DRAFT_BODY, EXPECTATION_BODY } from "./memory_schema.ts";
import { MEMORIES } from "./memory_store.ts";

export function createAiDraftEndpoints(
  services: FamilyServices,
): Readonly<Record<"keepAiDraft" | "adoptAiDraft" | "rejectAiDraft", Endpoint>> {
  return {
    keepAiDraft: changeEndpoint(services, MEMORIES, {
      summary: "Store a model's draft next to the original",
      body: AI_DRAFT_BODY,
      example: { expectedRevision: 1, aiDraft: "We swam until dusk.", provider: "A provider" },
      decide: decideAiDraft,
    }),
    adoptAiDraft: changeEndpoint(services, MEMORIES, {
      summary: "Make the model's draft the current content",
      body: ADOPT_BODY,
      example: { expectedRevision: 1, confirm: true },
      errors: ["MEMORY_STATE_CONFLICT"],
      decide: decideAdopt,
    }),
    rejectAiDraft: changeEndpoint(services, MEMORIES, {
      summary: "Reject the model's draft",
      body: EXPECTATION_BODY,
      example: { expectedRevision: 1 },
      errors: ["MEMORY_STATE_CONFLICT"],
      decide: decideReject,
    }),
  };
}

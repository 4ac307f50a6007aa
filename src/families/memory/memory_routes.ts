/** Endpoints of `/api/v2/memory`: memories here, then one file a topic. */

import { archiveEndpoints, createEndpoint, detailEndpoint } from "../../kit/write_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { pageOf } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import type { PartExportServices } from "../../records/port.ts";
import { createAiDraftEndpoints } from "./ai_draft_routes.ts";
import { createDraftEndpoints } from "./draft_routes.ts";
import { createExportEndpoints } from "./export_routes.ts";
import { listMemories } from "./memory_list.ts";
import { createPrivacyEndpoints } from "./privacy_routes.ts";
import { createRevisionEndpoints } from "./revision_routes.ts";
import { decideCreate } from "./memory_rules.ts";
import { MEMORY_LIST_QUERY, readMemoryListQuery, TEXT_BODY } from "./memory_schema.ts";
import { createSliceEndpoints } from "./slice_routes.ts";
import { MEMORIES } from "./memory_store.ts";
import { createTimeEndpoints } from "./time_routes.ts";
import { MEMORY_SCHEMA } from "./memory_view.ts";

export type MemoryEndpoints =
  & ReturnType<typeof createTextEndpoints>
  & ReturnType<typeof createRevisionEndpoints>
  & ReturnType<typeof createTimeEndpoints>
  & ReturnType<typeof createPrivacyEndpoints>
  & ReturnType<typeof createAiDraftEndpoints>
  & ReturnType<typeof createSliceEndpoints>
  & ReturnType<typeof createDraftEndpoints>
  & ReturnType<typeof createExportEndpoints>;

export function createMemoryEndpoints(services: PartExportServices): MemoryEndpoints {
  return {
    ...createTextEndpoints(services),
    ...createRevisionEndpoints(services),
    ...createTimeEndpoints(services),
    ...createPrivacyEndpoints(services),
    ...createAiDraftEndpoints(services),
    ...createSliceEndpoints(services),
    ...createDraftEndpoints(services),
    ...createExportEndpoints(services),
  };
}

/** `/texts` and one memory (MEM-001). */
function createTextEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "archive" | "restore", Endpoint>> {
  return {
    create: createEndpoint(services, MEMORIES, {
      summary: "Create a memory",
      body: TEXT_BODY,
      example: {
        title: "The lake",
        memoryType: "PLACE",
        originalContent: "We swam until the light was gone.",
      },
      frozen: true,
      decide: decideCreate,
    }),
    list: endpoint({
      contract: {
        summary: "List the memories, newest first",
        query: MEMORY_LIST_QUERY,
        responses: { 200: { data: pageOf(MEMORY_SCHEMA) } },
        errors: [],
      },
      body: "none",
      parse: (call) => readMemoryListQuery(call.query),
      async handle({ parsed: query, caller }) {
        return ok(await listMemories(services.database, caller, query));
      },
    }),
    detail: detailEndpoint(services, MEMORIES, { summary: "Read a memory" }),
    ...archiveEndpoints(services, MEMORIES, { noun: "memory", frozen: true }),
  };
}

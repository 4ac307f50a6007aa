/** The endpoints of `/api/v2/memory` (decisions, Memory): a memory itself here, then one file a topic. */

import { archiveEndpoints, createEndpoint, detailEndpoint } from "../family/endpoints.ts";
import type { FamilyServices } from "../family/write.ts";
import { pageOf } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { createAiDraftEndpoints } from "./ai_draft.ts";
import { createDraftEndpoints } from "./drafts.ts";
import { createExportEndpoints, type ExportServices } from "./exports.ts";
import { listMemories } from "./list.ts";
import { createPrivacyEndpoints } from "./privacy.ts";
import { createRevisionEndpoints } from "./revisions.ts";
import { decideCreate } from "./rules.ts";
import { LIST_QUERY, readListQuery, TEXT_BODY } from "./schema.ts";
import { createSliceEndpoints } from "./slices.ts";
import { MEMORIES } from "./store.ts";
import { createTimeEndpoints } from "./time.ts";
import { MEMORY_SCHEMA } from "./view.ts";

/** The endpoints of the memory routes. */
export type MemoryEndpoints =
  & ReturnType<typeof createTextEndpoints>
  & ReturnType<typeof createRevisionEndpoints>
  & ReturnType<typeof createTimeEndpoints>
  & ReturnType<typeof createPrivacyEndpoints>
  & ReturnType<typeof createAiDraftEndpoints>
  & ReturnType<typeof createSliceEndpoints>
  & ReturnType<typeof createDraftEndpoints>
  & ReturnType<typeof createExportEndpoints>;

/** Builds all of them. */
export function createMemoryEndpoints(services: ExportServices): MemoryEndpoints {
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

/** The endpoints of `/texts` and of one memory (MEM-001). */
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
        query: LIST_QUERY,
        responses: { 200: { data: pageOf(MEMORY_SCHEMA) } },
        errors: [],
      },
      body: "none",
      parse: (call) => readListQuery(call.query),
      async handle({ parsed: query, identity }) {
        return ok(await listMemories(services.database, identity, query));
      },
    }),
    detail: detailEndpoint(services, MEMORIES, { summary: "Read a memory" }),
    ...archiveEndpoints(services, MEMORIES, { noun: "memory", frozen: true }),
  };
}

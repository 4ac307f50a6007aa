/** Endpoints of `/api/v2/memory`: memories here, then one file a topic. */

import { archiveEndpoints, createEndpoint, detailEndpoint } from "../../kit/write_routes.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { signedPageOf } from "../../http/signed_page.ts";
import type { PartExportServices } from "../../records/port.ts";
import { createAiDraftEndpoints } from "./ai_draft_routes.ts";
import { createDraftEndpoints } from "./draft_routes.ts";
import { createExportEndpoints } from "./export_routes.ts";
import { listMemories, listMemoriesByTime, memoryCursors } from "./memory_list.ts";
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
  services: PartExportServices,
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
    list: createList(services),
    detail: detailEndpoint(services, MEMORIES, { summary: "Read a memory" }),
    ...archiveEndpoints(services, MEMORIES, { noun: "memory", frozen: true }),
  };
}

function createList({ database, serverSecret }: PartExportServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the memories, newest first or by their time",
      query: MEMORY_LIST_QUERY,
      responses: { 200: { data: signedPageOf(MEMORY_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readMemoryListQuery(call.query),
    async handle(call) {
      const { parsed: query, caller } = call;
      if (query.sort === undefined) return ok(await listMemories(database, caller, query));
      const cursors = memoryCursors(serverSecret, call, query);
      return ok(await listMemoriesByTime(database, caller, query, cursors));
    },
  });
}

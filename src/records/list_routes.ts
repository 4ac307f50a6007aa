import type { CatalogModule } from "../catalog/module.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { pageEndpoint } from "../http/define_endpoint.ts";
import { toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import { listCursors } from "../http/signed_page.ts";
import type { ListParameters, ListQuery, MomentRange, RecordListQuery } from "./list_query.ts";
import type { ReadScope } from "./module_access.ts";
import { readPosition, toSignedPage } from "./order_pages.ts";
import { readOrderedList, readWrittenList } from "./ordered_list.ts";
import { RECORD_SCHEMA, type RecordRow, showRecord, toRecordJson } from "./record.ts";
import type { ListServices } from "./record_store.ts";

/**
 * Specification, Record Kernel route 2.
 *
 * @param showsFiles Whether records have `attachmentIds`.
 */
export function createListEndpoint(
  { database, serverSecret }: ListServices,
  { moduleOf, errors }: ReadScope,
  { read, pageOf, ...parameters }: ListParameters,
  showsFiles: boolean,
): Endpoint {
  return pageEndpoint({
    contract: {
      summary: "List the records of a module",
      ...parameters,
      responses: { 200: { data: pageOf(RECORD_SCHEMA) } },
      errors,
    },
    parse(call) {
      const module = moduleOf(call);
      const query = read(module, call.query);
      const { sortBy, cursor } = query;
      if (sortBy === "createdAt" || sortBy === "updatedAt") return { module, query, sortBy };
      const cursors = listCursors(serverSecret, call, boundTo(module, query));
      return {
        module,
        query,
        ordered: { by: sortBy, cursors, after: readPosition(cursors, cursor) },
      };
    },
    async handle({ parsed: { module, query, sortBy, ordered }, caller }) {
      const { permissions, account: { accountId: owner } } = caller;
      const list = { module, query, owner, permissions };
      const show = (row: RecordRow) =>
        toRecordJson(showRecord(row, caller, showsFiles ? module : null));
      if (ordered === undefined) {
        const walked = await database.read((sql) => readWrittenList(sql, list, sortBy));
        return ok(toWalkedPage(walked, show, (row) => keyOf(row, sortBy)));
      }
      const { by, cursors, after } = ordered;
      const walked = await database.read((sql) => readOrderedList(sql, list, by, after));
      return ok(toSignedPage(cursors, walked, show));
    },
  });
}

function keyOf(row: RecordRow, sortBy: ListQuery["sortBy"]): string {
  return sortBy === "createdAt" ? row.record_id : row.revision_id;
}

/** Everything but `limit`. */
function boundTo(
  { code: moduleCode }: CatalogModule,
  { sortBy, isDescending, archived, created, updated, time, filters }: RecordListQuery,
): JsonObject {
  return {
    moduleCode,
    sortBy,
    isDescending,
    archived,
    ranges: [created, updated, time].map(rangeOf),
    filters: filters.map(({ field, comparison, value }) => [field, comparison, value]).sort(),
  };
}

function rangeOf({ from, to }: MomentRange): JsonValue {
  return [from?.toISOString() ?? null, to?.toISOString() ?? null];
}

import { pageEndpoint } from "../http/define_endpoint.ts";
import { pageOf, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import type { ListParameters, ListQuery } from "./list_query.ts";
import { readList } from "./list_store.ts";
import type { ReadScope } from "./module_access.ts";
import { RECORD_SCHEMA, type RecordRow, showRecord, toRecordJson } from "./record.ts";
import type { ReadServices } from "./record_store.ts";

/**
 * Specification, Record Kernel route 2.
 *
 * @param showsFiles Whether records have `attachmentIds`.
 */
export function createListEndpoint(
  { database }: ReadServices,
  { moduleOf, errors }: ReadScope,
  { read, ...parameters }: ListParameters,
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
      return { module, query: read(module, call.query) };
    },
    async handle({ parsed: { module, query }, caller }) {
      const owner = caller.account.accountId;
      const walked = await database.read((sql) => readList(sql, owner, module, query));
      return ok(toWalkedPage(
        walked,
        (row) => toRecordJson(showRecord(row, caller, showsFiles ? module : null)),
        (row) => keyOf(row, query),
      ));
    },
  });
}

function keyOf(row: Pick<RecordRow, "record_id" | "revision_id">, query: ListQuery): string {
  return query.sortBy === "createdAt" ? row.record_id : row.revision_id;
}

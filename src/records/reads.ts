/** The reads of records: of the module that a path names, or of one module under paths of its own. */

import { readRowFor } from "../access/assumption.ts";
import { okUnlessKnown } from "../http/entity_tag.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { optional, readQuery, revision } from "../validate/schema.ts";
import { createHistoryEndpoints } from "./history.ts";
import { createListEndpoint } from "./list.ts";
import { ALL_PARAMETERS, type ListParameters, PLAIN_PARAMETERS } from "./list_query.ts";
import { readRecordPath, type ReadScope, recordErrors, withinModule } from "./module_access.ts";
import { RECORD_SCHEMA, type RecordRow, toPublicRecord } from "./record.ts";
import { findRecord, findRecordAt, type ReadServices } from "./store.ts";
import { refuseTyped } from "./typed_ids.ts";

const REVISION_QUERY = { revision: optional(revision) };

/** What the queries of reads may hold. */
export interface ReadParameters {
  readonly list: ListParameters;
  /** Of one record: `revision=N`, or nothing. */
  readonly detail: typeof REVISION_QUERY | Record<never, never>;
}

/** What the generic reads take. */
export const GENERIC_READS: ReadParameters = { list: ALL_PARAMETERS, detail: REVISION_QUERY };

/** What the reads of version 1 take. */
export const PLAIN_READS: ReadParameters = { list: PLAIN_PARAMETERS, detail: {} };

/** One endpoint for each read. */
export function createReadEndpoints(
  services: ReadServices,
  scope: ReadScope,
  { list, detail }: ReadParameters,
): Readonly<Record<"list" | "detail" | "revisions" | "executions", Endpoint>> {
  return {
    list: createListEndpoint(services, scope, list),
    detail: detailEndpoint(services, scope, detail),
    ...createHistoryEndpoints(services, scope),
  };
}

function detailEndpoint(
  { database, catalog }: ReadServices,
  scope: ReadScope,
  query: ReadParameters["detail"],
): Endpoint {
  return endpoint({
    contract: {
      summary: "revision" in query
        ? "Read a record as it is, or exactly as it was at a revision"
        : "Read a record as it is",
      query,
      headers: ["If-None-Match"],
      responses: { 200: { data: RECORD_SCHEMA, headers: ["ETag"] }, 304: { headers: ["ETag"] } },
      errors: recordErrors(scope, catalog),
    },
    body: "none",
    isPureRead: true,
    confirmsIdentity: true,
    parse(call) {
      const path = readRecordPath(scope, call);
      const { revision: at }: { revision?: number } = readQuery(query, call.query);
      return { ...path, at };
    },
    async handle({ parsed: { module, recordId, at }, identity, now, operation, request }) {
      const owner = identity.account.accountId;
      const row = await database.read(async (sql) => {
        const found = await readRowFor<RecordRow>(
          sql,
          identity,
          now,
          at === undefined
            ? findRecord(sql, owner, recordId)
            : findRecordAt(sql, owner, recordId, at),
        );
        if (found === undefined) {
          await refuseTyped(sql, scope.typedIds, { module, recordId, operation, identity });
        }
        return found;
      });
      const record = toPublicRecord(withinModule(catalog, module, row), identity.permissions);
      const isRedacted = record.redacted === true;
      return okUnlessKnown(request, record, { revision: record.revision, isRedacted });
    },
  });
}

/** Reads of records: of the path's module, or of one module under its own paths. */

import { rowEndpoint } from "../http/define_endpoint.ts";
import { okUnlessKnown } from "../http/entity_tag.ts";
import type { Endpoint } from "../http/route.ts";
import { optional, readQuery, revision } from "../validate/schema.ts";
import { createHistoryEndpoints } from "./history_routes.ts";
import { createListEndpoint } from "./list_routes.ts";
import { ALL_PARAMETERS, type ListParameters, PLAIN_PARAMETERS } from "./list_query.ts";
import { readRecordPath, type ReadScope, recordErrors, withinModule } from "./module_access.ts";
import { RECORD_SCHEMA, showRecord } from "./record.ts";
import { findRecord, findRecordAt, type ListServices, type ReadServices } from "./record_store.ts";
import { refuseTyped } from "./typed_ids.ts";

const REVISION_QUERY = { revision: optional(revision) };

interface ReadParameters {
  readonly list: ListParameters;
  /** One record: `revision=N`, or none. */
  readonly detail: typeof REVISION_QUERY | Record<never, never>;
  /** Whether current records have `attachmentIds`. */
  readonly showsFiles: boolean;
}

export const GENERIC_READS: ReadParameters = {
  list: ALL_PARAMETERS,
  detail: REVISION_QUERY,
  showsFiles: true,
};

export const PLAIN_READS: ReadParameters = {
  list: PLAIN_PARAMETERS,
  detail: {},
  showsFiles: false,
};

export function createReadEndpoints(
  services: ListServices,
  scope: ReadScope,
  parameters: ReadParameters,
): Readonly<Record<"list" | "detail" | "revisions" | "executions", Endpoint>> {
  return {
    list: createListEndpoint(services, scope, parameters.list, parameters.showsFiles),
    detail: detailEndpoint(services, scope, parameters),
    ...createHistoryEndpoints(services, scope),
  };
}

function detailEndpoint(
  services: ReadServices,
  scope: ReadScope,
  { detail: query, showsFiles }: ReadParameters,
): Endpoint {
  const { catalog } = services;
  return rowEndpoint(services, {
    contract: {
      summary: "revision" in query
        ? "Read a record as it is, or exactly as it was at a revision"
        : "Read a record as it is",
      query,
      headers: ["If-None-Match"],
      responses: { 200: { data: RECORD_SCHEMA, headers: ["ETag"] }, 304: { headers: ["ETag"] } },
      errors: recordErrors(scope, catalog),
    },
    parse(call) {
      const path = readRecordPath(scope, call);
      const { revision: at }: { revision?: number } = readQuery(query, call.query);
      return { ...path, at };
    },
    find(sql, { parsed: { recordId, at }, caller: { account: { accountId: owner } } }) {
      return at === undefined
        ? findRecord(sql, owner, recordId)
        : findRecordAt(sql, owner, recordId, at);
    },
    refuseMissing: (sql, { parsed, caller, operation }) =>
      refuseTyped(sql, scope.typedIds, { ...parsed, caller, operation }),
    show(row, { parsed: { module, at }, caller, request }) {
      const shown = showsFiles && at === undefined ? module : null;
      const record = showRecord(withinModule(catalog, module, row), caller, shown);
      const isRedacted = record.redacted === true;
      return okUnlessKnown(request, record, { revision: record.revision, isRedacted });
    },
  });
}

import type { Identity } from "../access/identity.ts";
import type { Contract } from "../http/contract.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import { type Page, type PageQuery, readPageQuery } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import { readQuery } from "../validate/schema.ts";
import { DETAIL_QUERY, RECORD_CONTRACTS } from "./contracts.ts";
import { readRecordId, type RecordPath, requireReadable, withinModule } from "./module_access.ts";
import { listExecutions, listRevisions } from "./history.ts";
import { listRecords } from "./list.ts";
import { readListQuery } from "./list_query.ts";
import { toPublicRecord } from "./record.ts";
import { findRecord, findRecordAt } from "./store.ts";
import type { RecordServices } from "./writing.ts";

/** The reading endpoints of the Record Kernel (specification, Record Kernel routes 2, 3, 7, 8). */
export function createReadEndpoints(services: RecordServices): ReadEndpoints {
  const { database, catalog } = services;

  const parsePath = (call: SignedInCall): RecordPath => ({
    module: requireReadable(catalog, call.params.moduleCode, call.identity),
    recordId: readRecordId(call.params.recordId),
  });

  const history = <Item>(
    contract: Contract,
    read: (reader: Identity, path: RecordPath, query: PageQuery) => Promise<Page<Item>>,
  ) =>
    endpoint({
      contract,
      body: "none",
      parse(call) {
        const path = parsePath(call);
        return { path, query: readPageQuery(call.query) };
      },
      async handle({ parsed: { path, query }, identity }) {
        return ok(await read(identity, path, query));
      },
    });

  return {
    list: endpoint({
      contract: RECORD_CONTRACTS.list,
      body: "none",
      parse(call) {
        const module = requireReadable(catalog, call.params.moduleCode, call.identity);
        return { module, query: readListQuery(module, call.query) };
      },
      async handle({ parsed: { module, query }, identity }) {
        return ok(await listRecords(database, identity, module, query));
      },
    }),

    detail: endpoint({
      contract: RECORD_CONTRACTS.detail,
      body: "none",
      parse(call) {
        const path = parsePath(call);
        return { ...path, revision: readQuery(DETAIL_QUERY, call.query).revision ?? null };
      },
      async handle({ parsed: { module, recordId, revision }, identity, request }) {
        const owner = identity.account.accountId;
        const [row] = await database.read((sql) =>
          revision === null
            ? findRecord(sql, owner, recordId)
            : findRecordAt(sql, owner, recordId, revision)
        );
        const record = withinModule(catalog, module, row);
        const answer = toPublicRecord(record, identity.permissions);
        // Once the reader may see the content, a copy without it no longer counts.
        const etag = answer.redacted ? `"${record.revision}-redacted"` : `"${record.revision}"`;
        if (namesEntityTag(request.headers.get("If-None-Match"), etag)) {
          return { status: 304, headers: { ETag: etag } };
        }
        return ok(answer, { ETag: etag });
      },
    }),

    revisions: history(
      RECORD_CONTRACTS.revisions,
      (reader, path, query) => listRevisions(database, catalog, reader, path, query),
    ),
    executions: history(
      RECORD_CONTRACTS.executions,
      (reader, path, query) => listExecutions(database, catalog, reader, path, query),
    ),
  };
}

/** One endpoint for each route. */
export interface ReadEndpoints {
  readonly list: Endpoint;
  readonly detail: Endpoint;
  readonly revisions: Endpoint;
  readonly executions: Endpoint;
}

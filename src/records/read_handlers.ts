import type { Identity } from "../access/identity.ts";
import type { Contract } from "../http/contract.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import { type Page, type PageQuery, readPageQuery } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import { readQuery } from "../validate/schema.ts";
import { DETAIL_QUERY, RECORD_CONTRACTS } from "./contracts.ts";
import { gateRead, readRecordId, type Target, withinModule } from "./gates.ts";
import { listExecutions, listRevisions } from "./history.ts";
import { listRecords } from "./list.ts";
import { readListQuery } from "./list_query.ts";
import { toPublicRecord } from "./record.ts";
import { findRecord, findRecordAt } from "./store.ts";
import type { RecordServices } from "./writing.ts";

/** The reading endpoints of the Record Kernel (specification, Record Kernel routes 2, 3, 7, 8). */
export function createReadEndpoints(services: RecordServices): ReadEndpoints {
  const { database, catalog } = services;

  const parseTarget = (call: SignedInCall): Target => ({
    module: gateRead(catalog, call.params.moduleCode, call.identity),
    recordId: readRecordId(call.params.recordId),
  });

  const history = <Item>(
    contract: Contract,
    read: (reader: Identity, target: Target, query: PageQuery) => Promise<Page<Item>>,
  ) =>
    endpoint({
      contract,
      body: "none",
      parse(call) {
        const target = parseTarget(call);
        return { target, query: readPageQuery(call.query) };
      },
      async answer({ parsed: { target, query }, identity }) {
        return ok(await read(identity, target, query));
      },
    });

  return {
    list: endpoint({
      contract: RECORD_CONTRACTS.list,
      body: "none",
      parse(call) {
        const module = gateRead(catalog, call.params.moduleCode, call.identity);
        return { module, query: readListQuery(module, call.query) };
      },
      async answer({ parsed: { module, query }, identity }) {
        return ok(await listRecords(database, identity, module, query));
      },
    }),

    detail: endpoint({
      contract: RECORD_CONTRACTS.detail,
      body: "none",
      parse(call) {
        const target = parseTarget(call);
        return { ...target, revision: readQuery(DETAIL_QUERY, call.query).revision ?? null };
      },
      async answer({ parsed: { module, recordId, revision }, identity, request }) {
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
      (reader, target, query) => listRevisions(database, catalog, reader, target, query),
    ),
    executions: history(
      RECORD_CONTRACTS.executions,
      (reader, target, query) => listExecutions(database, catalog, reader, target, query),
    ),
  };
}

/** One endpoint a route. */
export interface ReadEndpoints {
  readonly list: Endpoint;
  readonly detail: Endpoint;
  readonly revisions: Endpoint;
  readonly executions: Endpoint;
}

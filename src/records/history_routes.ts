import type { Query, Sql } from "../database/sql.ts";
import type { Walked } from "../database/walk.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { pageEndpoint } from "../http/define_endpoint.ts";
import { PAGE_QUERY, pageOf, type PageQuery, readPageQuery, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import {
  EXECUTION_SCHEMA,
  type ExecutionRow,
  type PublicExecution,
  toPublicExecution,
} from "./execution.ts";
import {
  executionAt,
  findModuleCode,
  readExecutions,
  readRevisions,
  revisionAt,
} from "./history_store.ts";
import { readRecordPath, type ReadScope, recordErrors, withinModule } from "./module_access.ts";
import { hides } from "./record.ts";
import {
  type HistoryRow,
  type PublicRevision,
  REVISION_SCHEMA,
  type RevisionRow,
  toPublicRevision,
} from "./revision.ts";
import type { ReadServices } from "./record_store.ts";
import { refuseTyped } from "./typed_ids.ts";

interface History<Row extends HistoryRow, Item> {
  readonly summary: string;
  readonly schema: JsonSchema;
  /** Selects the cursor's row. */
  readonly cursor: (sql: Sql, owner: string, recordId: string, cursor: string) => Query<object>;
  /** Newest first. */
  readonly rows: (
    sql: Sql,
    owner: string,
    recordId: string,
    page: PageQuery,
  ) => Promise<Walked<Row>>;
  readonly cursorOf: (row: Row) => string;
  readonly show: (row: Row, hidden: boolean) => Item;
}

const REVISIONS: History<RevisionRow, PublicRevision> = {
  summary: "List the revisions of a record, newest first",
  schema: REVISION_SCHEMA,
  cursor: revisionAt,
  rows: readRevisions,
  cursorOf: (row) => row.revision_id,
  show: toPublicRevision,
};

const EXECUTIONS: History<ExecutionRow & HistoryRow, PublicExecution> = {
  summary: "List the executions that concern a record, newest first",
  schema: EXECUTION_SCHEMA,
  cursor: executionAt,
  rows: readExecutions,
  cursorOf: (row) => row.execution_id,
  show: toPublicExecution,
};

/** Specification, Record Kernel routes 7 and 8. */
export function createHistoryEndpoints(
  services: ReadServices,
  scope: ReadScope,
): { readonly revisions: Endpoint; readonly executions: Endpoint } {
  return {
    revisions: historyEndpoint(services, scope, REVISIONS),
    executions: historyEndpoint(services, scope, EXECUTIONS),
  };
}

function historyEndpoint<Row extends HistoryRow, Item>(
  { database, catalog }: ReadServices,
  scope: ReadScope,
  history: History<Row, Item>,
): Endpoint {
  return pageEndpoint({
    contract: {
      summary: history.summary,
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(history.schema) } },
      errors: recordErrors(scope, catalog),
    },
    parse: (call) => ({
      ...readRecordPath(scope, call),
      page: readPageQuery(call.query),
    }),
    async handle({ parsed: { module, recordId, page }, caller, operation }) {
      const owner = caller.account.accountId;
      const walked = await database.read(async (sql) => {
        // Sent in parallel, so that a missing record takes as long as an existing one.
        const [roots, cursors, walked] = await Promise.all([
          findModuleCode(sql, owner, recordId),
          page.cursor === null ? null : history.cursor(sql, owner, recordId, page.cursor),
          history.rows(sql, owner, recordId, page),
        ]);
        if (roots.length === 0) {
          await refuseTyped(sql, scope.typedIds, { module, recordId, operation, caller });
        }
        withinModule(catalog, module, roots[0]);
        if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        return walked;
      });
      const show = (row: Row) => history.show(row, hides(row.guard, caller, recordId));
      return ok(toWalkedPage(walked, show, history.cursorOf));
    },
  });
}

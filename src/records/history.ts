/** Revision and execution history: append-only ledgers of one record, newest first. */

import type { Permission } from "../access/permissions.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readRows, type Walked } from "../database/walk.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { PAGE_QUERY, pageOf, type PageQuery, readPageQuery, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import type { RawJson } from "../validate/json_output.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import {
  EXECUTION_SCHEMA,
  type ExecutionRow,
  type PublicExecution,
  shortExecutionColumns,
  toPublicExecution,
} from "./execution.ts";
import { readRecordPath, type ReadScope, recordErrors, withinModule } from "./module_access.ts";
import {
  type Change,
  CHANGES,
  contentOf,
  HIDDEN_CONTENT,
  isHidden,
  STORED_PAYLOAD,
} from "./record.ts";
import { longRecordColumns, type ReadServices } from "./store.ts";
import { refuseTyped } from "./typed_ids.ts";

/** A revision as a client sees it. */
export interface PublicRevision {
  readonly revisionId: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
  readonly archivedAt: string | null;
  readonly createdAt: string;
  readonly redacted?: true;
}

export const REVISION_SCHEMA: JsonSchema = component<PublicRevision>("RecordRevision", {
  revisionId: ULID,
  recordId: ULID,
  revision: REVISION,
  change: enumOf(CHANGES),
  title: TEXT,
  summary: TEXT,
  payload: STORED_PAYLOAD,
  archivedAt: nullable(TIME),
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

/** A row of a record's history. */
interface HistoryRow {
  /** What the record's content needs today: of the same moment as the content. */
  readonly guard: Permission | null;
}

interface RevisionRow extends HistoryRow {
  readonly revision_id: string;
  readonly record_id: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: string;
  readonly archived_at: Date | null;
  readonly created_at: Date;
}

/** What is listed of a record, and its SQL. */
interface History<Row extends HistoryRow, Item> {
  readonly summary: string;
  readonly schema: JsonSchema;
  /** Selects the row that a cursor names. */
  readonly cursor: (sql: Sql, owner: string, recordId: string, cursor: string) => Query<object>;
  /** The rows of a page, the newest first. */
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
  // The cursor names a revision; revision numbers, not identifiers, give the order.
  rows: (sql, owner, recordId, { cursor, limit }) =>
    readRows<RevisionRow>(
      sql,
      (columns, count) =>
        sql`
          select ${columns} from record_revisions
           where owner_id = ${owner} and record_id = ${recordId}
             ${
          cursor === null
            ? sql``
            : sql`and revision < (${revisionAt(sql, owner, recordId, cursor)})`
        }
           order by revision desc limit ${count}`,
      {
        columns:
          sql`revision_id, record_id, revision, change, title, summary, archived_at, created_at,
            ${guardOf(sql, owner, recordId)}`,
        long: longRecordColumns(sql),
        limit,
      },
    ),
  cursorOf: (row) => row.revision_id,
  show: toPublicRevision,
};

const EXECUTIONS: History<ExecutionRow & HistoryRow, PublicExecution> = {
  summary: "List the executions that concern a record, newest first",
  schema: EXECUTION_SCHEMA,
  cursor: (sql, owner, recordId, cursor) =>
    sql`
      select 1 from executions
       where owner_id = ${owner} and record_id = ${recordId} and execution_id = ${cursor}`,
  rows: (sql, owner, recordId, { cursor, limit }) =>
    readRows<ExecutionRow & HistoryRow>(
      sql,
      (columns, count) =>
        sql`
          select ${columns} from executions
           where owner_id = ${owner} and record_id = ${recordId}
             ${cursor === null ? sql`` : sql`and execution_id < ${cursor}`}
           order by execution_id desc limit ${count}`,
      {
        columns: sql`${shortExecutionColumns(sql)}, ${guardOf(sql, owner, recordId)}`,
        long: { kind: "json", columns: { output: sql`output` }, hidden: null },
        limit,
      },
    ),
  cursorOf: (row) => row.execution_id,
  show: toPublicExecution,
};

/** The endpoints of a record's history (specification, Record Kernel routes 7 and 8). */
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
  return endpoint({
    contract: {
      summary: history.summary,
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(history.schema) } },
      errors: recordErrors(scope, catalog),
    },
    body: "none",
    isPureRead: true,
    parse: (call) => ({
      ...readRecordPath(scope, call),
      page: readPageQuery(call.query),
    }),
    async handle({ parsed: { module, recordId, page }, identity, operation }) {
      const owner = identity.account.accountId;
      const walked = await database.read(async (sql) => {
        // Asked together, so that an absent record costs what a present one does.
        const [roots, cursors, walked] = await Promise.all([
          sql<{ module_code: string }>`
            select module_code from records
             where owner_id = ${owner} and record_id = ${recordId}`,
          page.cursor === null ? null : history.cursor(sql, owner, recordId, page.cursor),
          history.rows(sql, owner, recordId, page),
        ]);
        if (roots.length === 0) {
          await refuseTyped(sql, scope.typedIds, { module, recordId, operation, identity });
        }
        withinModule(catalog, module, roots[0]);
        if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        return walked;
      });
      const show = (row: Row) => history.show(row, isHidden(row.guard, identity.permissions));
      return ok(toWalkedPage(walked, show, history.cursorOf));
    },
  });
}

/**
 * The record's guard of today, as a column: read in a statement of its own it could be older than the
 * content, which was then written as secret.
 */
function guardOf(sql: Sql, owner: string, recordId: string): Query<object> {
  return sql`
    (select guard from records r
      where r.owner_id = ${owner} and r.record_id = ${recordId}) as guard`;
}

function revisionAt(sql: Sql, owner: string, recordId: string, cursor: string): Query<object> {
  return sql`
    select revision from record_revisions
     where owner_id = ${owner} and record_id = ${recordId} and revision_id = ${cursor}`;
}

/** By today's guard of the record, whatever the revision. */
function toPublicRevision(row: RevisionRow, hidden: boolean): PublicRevision {
  const { title, summary, payload } = hidden ? HIDDEN_CONTENT : contentOf(row);
  return {
    revisionId: row.revision_id,
    recordId: row.record_id,
    revision: row.revision,
    change: row.change,
    title,
    summary,
    payload,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    ...(hidden && { redacted: true }),
  };
}

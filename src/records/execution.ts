import type { Query, Sql } from "../database/sql.ts";
import { RawJson } from "../validate/json_output.ts";
import {
  ANY_OBJECT,
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";

export interface PublicExecution {
  readonly executionId: string;
  /** Null if no single record is concerned. */
  readonly recordId: string | null;
  readonly featureId: string;
  readonly strategy: string;
  readonly revision: number | null;
  readonly status: string;
  readonly output: RawJson;
  readonly createdAt: string;
  readonly redacted?: true;
}

export const EXECUTION_SCHEMA: JsonSchema = component<PublicExecution>("Execution", {
  executionId: ULID,
  recordId: nullable(ULID),
  featureId: TEXT,
  strategy: TEXT,
  revision: nullable(REVISION),
  status: TEXT,
  output: { ...ANY_OBJECT, description: "The feature's output; empty if redacted." },
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

export interface ExecutionRow {
  readonly execution_id: string;
  readonly record_id: string | null;
  readonly module_code: string;
  readonly feature_id: string;
  readonly strategy: string;
  readonly revision: number | null;
  readonly status: string;
  readonly output: string;
  readonly created_at: Date;
}

/** Shows an execution; `hidden` also hides the output. */
export function toPublicExecution(row: ExecutionRow, hidden: boolean): PublicExecution {
  return {
    executionId: row.execution_id,
    recordId: row.record_id,
    featureId: row.feature_id,
    strategy: row.strategy,
    revision: row.revision,
    status: row.status,
    output: new RawJson(hidden ? "{}" : row.output),
    createdAt: row.created_at.toISOString(),
    ...(hidden && { redacted: true }),
  };
}

function executionColumns(sql: Sql): Query<object> {
  return sql`${shortExecutionColumns(sql)}, output::text as output`;
}

/** All columns except the output. */
export function shortExecutionColumns(sql: Sql): Query<object> {
  return sql`execution_id, record_id, module_code, feature_id, strategy, revision, status,
    created_at`;
}

/** CTE of one execution, conditional on the claim. */
export function executionEntry(sql: Sql, owner: string, row: ExecutionRow): Query<object> {
  return executionEntries(sql, owner, [row]);
}

/** CTE `execution` of any number of executions, conditional on the claim. */
export function executionEntries(
  sql: Sql,
  owner: string,
  rows: readonly ExecutionRow[],
): Query<object> {
  return sql`
    execution as (
      insert into executions (owner_id, execution_id, record_id, module_code, feature_id, strategy,
                              revision, status, output, created_at)
      select ${owner}, execution_id, record_id, module_code, feature_id, strategy, revision, status,
             output::json, created_at
        from claim, json_to_recordset(${JSON.stringify(rows)}::text::json) as execution_row (
          execution_id text, record_id text, module_code text, feature_id text, strategy text,
          revision integer, status text, output text, created_at timestamptz)
       where verdict = 'GO'
    )`;
}

/** The caller must check the module. */
export function findExecution(sql: Sql, owner: string, executionId: string): Query<ExecutionRow> {
  return sql<ExecutionRow>`
    select ${executionColumns(sql)} from executions
     where owner_id = ${owner} and execution_id = ${executionId}`;
}

/** An owner's executions of a feature that concern no single record, newest first. */
export function listFamilyExecutions(
  sql: Sql,
  owner: string,
  featureId: string,
  cursor: string | null,
  limit: number,
): Query<ExecutionRow> {
  return sql<ExecutionRow>`
    select ${executionColumns(sql)} from executions
     where owner_id = ${owner} and feature_id = ${featureId} and record_id is null
       ${cursor === null ? sql`` : sql`and execution_id < ${cursor}`}
     order by execution_id desc limit ${limit}`;
}

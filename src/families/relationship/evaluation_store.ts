import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { addedRow } from "../../kit/stored_ledger.ts";
import { EVALUATION, type EvaluationRow } from "./evaluation.ts";
import { mayReadSecrets } from "./privacy.ts";
import { hasSecretSource } from "./proposal_store.ts";
import { timelineEntry } from "./timeline_store.ts";

/** CTEs of an evaluation and its timeline entry, conditional on the claim. */
export function evaluationEntries(sql: Sql, owner: string, row: EvaluationRow): Query<object> {
  return sql`
    ${addedRow(sql, "person_evaluations", EVALUATION, owner, row)},
    ${timelineEntry(sql, owner, "EVALUATION_CONFIRMED", row.evaluation_id, row)}`;
}

export function findEvaluation(
  sql: Sql,
  owner: string,
  personId: string,
  evaluationId: string,
): Query<EvaluationRow> {
  return sql<EvaluationRow>`
    select ${shortColumns(sql)}, ${hasSecretSource(sql)} as has_secret_source, v.text
      from ${evaluations(sql)}
     where v.owner_id = ${owner} and v.person_id = ${personId}
       and v.evaluation_id = ${evaluationId}`;
}

export async function findLastEvaluationId(
  sql: Sql,
  owner: string,
  personId: string,
): Promise<string | null> {
  const [last] = await sql<Pick<EvaluationRow, "evaluation_id">>`
    select evaluation_id from person_evaluations
     where owner_id = ${owner} and person_id = ${personId}
     order by evaluation_id desc limit 1`;
  return last?.evaluation_id ?? null;
}

/** Newest first. */
export async function readEvaluations(
  sql: Sql,
  reader: Caller,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<EvaluationRow>> {
  const isSecret = hasSecretSource(sql);
  return await readRows<EvaluationRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${evaluations(sql)}
         where v.owner_id = ${reader.account.accountId} and v.person_id = ${personId}
           ${cursor === null ? sql`` : sql`and v.evaluation_id < ${cursor}`}
         order by v.evaluation_id desc limit ${limit}`,
    {
      columns: sql`${shortColumns(sql)}, ${isSecret} as has_secret_source`,
      long: {
        kind: "text",
        columns: { text: sql`v.text` },
        hidden: mayReadSecrets(reader) ? null : isSecret,
      },
      limit,
    },
  );
}

function evaluations(sql: Sql): Query<object> {
  return sql`person_evaluations v join person_proposals p on p.owner_id = v.owner_id
    and p.person_id = v.person_id and p.proposal_id = v.proposal_id`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`v.evaluation_id, v.person_id, v.evaluation_revision, v.proposal_id, v.origin,
    v.provider, v.model, v.source_digest, v.source_revision, v.person_revision, v.recorded_at`;
}

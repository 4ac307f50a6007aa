/** Times of predictions and outcomes of all decisions. */

import type { Query, Sql } from "../../database/sql.ts";

/** The time of a prediction or an outcome. */
export interface BelowTime {
  readonly id: string;
  readonly time: Date;
  readonly clock: string | null;
  /** Whether its decision is archived. */
  readonly is_archived: boolean;
}

interface BelowRange {
  readonly kind: "prediction" | "outcome";
  readonly owner: string;
  readonly from: Date;
  /** Exclusive end. */
  readonly to: Date;
}

/**
 * Selects predictions by `dueAt`, or outcomes by `observedAt`.
 *
 * @param last The row after which to begin; null at the beginning.
 */
export function timesBelow(
  sql: Sql,
  { kind, owner, from, to }: BelowRange,
  last: BelowTime | null,
  limit: number,
): Query<BelowTime> {
  const { table, id, time, member } = kind === "prediction"
    ? {
      table: sql`decision_predictions`,
      id: sql`prediction_id`,
      time: sql`due_at`,
      member: "dueAt",
    }
    : {
      table: sql`decision_outcomes`,
      id: sql`outcome_id`,
      time: sql`observed_at`,
      member: "observedAt",
    };
  const begin = last === null
    ? sql`${time} >= ${from}`
    : sql`(${time}, ${id}) > (${last.time}::timestamptz, ${last.id}::text)`;
  return sql<BelowTime>`
    select below.id, below.time, below.clocks ->> ${member} as clock,
           decision.archived_at is not null as is_archived
      from (select ${id} as id, ${time} as time, decision_id, clocks from ${table}
             where owner_id = ${owner} and ${begin} and ${time} < ${to}
             order by ${time}, ${id} limit ${limit}) below
           cross join lateral (
             select archived_at from decisions
              where owner_id = ${owner} and decision_id = below.decision_id offset 0) decision
     order by below.time, below.id`;
}

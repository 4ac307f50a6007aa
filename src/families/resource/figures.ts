/** The figures that a resource has and a snapshot measures. */

import type { PayloadView } from "../../catalog/payload_view.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { type JsonSchema, nullable } from "../../validate/json_schema.ts";

/** Null for each figure that has no value. */
export interface Figures {
  readonly amount: number | null;
  readonly capacity: number | null;
  readonly available: number | null;
  /** A percentage. */
  readonly level: number | null;
}

/** The names of the figures. */
export const FIGURE_NAMES: readonly string[] = [
  "amount",
  "capacity",
  "available",
  "level",
] satisfies readonly (keyof Figures)[];

/** The schema of a figure. */
export const FIGURE: JsonSchema = nullable({ type: "number" });

/** The figures among normalised fields. */
export function figuresOf(fields: PayloadView): Figures {
  return {
    amount: fields.number("amount") ?? null,
    capacity: fields.number("capacity") ?? null,
    available: fields.number("available") ?? null,
    level: fields.number("level") ?? null,
  };
}

/** Their columns, in the order of `figureValues`. */
export function figureColumns(sql: Sql): Query<object> {
  return sql`amount, capacity, available, level`;
}

export function figureValues(sql: Sql, figures: Figures): Query<object> {
  return sql`${figures.amount}::double precision, ${figures.capacity}::double precision,
    ${figures.available}::double precision, ${figures.level}::double precision`;
}

import type { Query, Sql } from "../../database/sql.ts";
import { addedRows, storedLedger } from "../../kit/stored_ledger.ts";
import {
  EXPERIENCE,
  type Experience,
  EXPERIENCE_SCHEMA,
  type ExperienceRow,
  showExperience,
} from "./experience.ts";
import { mayReadSecrets, shownClocks } from "./privacy.ts";
import { timelineEntries, timelineRow } from "./timeline_store.ts";

export const EXPERIENCE_LEDGER = storedLedger<ExperienceRow, Experience>({
  policy: "relationship-experience",
  table: "person_experiences",
  columns: EXPERIENCE,
  id: "experience_id",
  root: "person_id",
  level: "privacy",
  mayReadSecrets,
  schema: EXPERIENCE_SCHEMA,
  show: showExperience,
});

/** CTEs of experiences and their timeline entries, conditional on the claim. */
export function experienceEntries(
  sql: Sql,
  owner: string,
  rows: readonly ExperienceRow[],
): Query<object> {
  const lines = rows.map((row) =>
    timelineRow("EXPERIENCE_RECORDED", row.experience_id, {
      ...row,
      clocks: shownClocks("occurredAt", row),
    })
  );
  return sql`
    ${addedRows(sql, "person_experiences", EXPERIENCE, owner, rows)},
    ${timelineEntries(sql, owner, lines)}`;
}

import type { Query, Sql } from "../../database/sql.ts";
import { storedLedger } from "../../kit/stored_ledger.ts";
import {
  EXPERIENCE,
  type Experience,
  EXPERIENCE_SCHEMA,
  type ExperienceRow,
  showExperience,
} from "./experience.ts";
import { mayReadSecrets, shownClocks } from "./privacy.ts";
import { timelineEntry } from "./timeline_store.ts";

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

/** CTEs of an experience and its timeline entry, conditional on the claim. */
export function experienceEntries(sql: Sql, owner: string, row: ExperienceRow): Query<object> {
  const line = { ...row, clocks: shownClocks("occurredAt", row) };
  return sql`
    ${EXPERIENCE_LEDGER.added(sql, owner, row)},
    ${timelineEntry(sql, owner, "EXPERIENCE_RECORDED", row.experience_id, line)}`;
}

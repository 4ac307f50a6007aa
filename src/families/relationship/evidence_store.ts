import type { Query, Sql } from "../../database/sql.ts";
import type { RowOf } from "../../kit/columns.ts";
import { controlledLedger } from "../../kit/controlled_ledger.ts";
import {
  EVIDENCE,
  type Evidence,
  EVIDENCE_CONTROL_COLUMNS,
  EVIDENCE_SCHEMA,
  type EvidenceRow,
  showEvidence,
} from "./evidence.ts";
import { mayReadSecrets } from "./privacy.ts";
import type { SourceEntry } from "./sources.ts";

export type EvidenceControl = RowOf<typeof EVIDENCE_CONTROL_COLUMNS>;

export const EVIDENCE_LEDGER = controlledLedger<EvidenceRow, Evidence, EvidenceControl>({
  policy: "relationship-evidence",
  table: "person_evidence",
  columns: EVIDENCE,
  id: "evidence_id",
  root: "person_id",
  controls: {
    table: "person_evidence_controls",
    columns: EVIDENCE_CONTROL_COLUMNS,
    order: "control_number",
  },
  alike: ["person_id"],
  conflict: "RELATIONSHIP_ENTRY_CONFLICT",
  mayReadSecrets,
  schema: EVIDENCE_SCHEMA,
  show: showEvidence,
});

/** Returns 0 without controls. */
export async function findLastControlNumber(
  sql: Sql,
  owner: string,
  personId: string,
): Promise<number> {
  const [last] = await sql<Pick<EvidenceControl, "control_number">>`
    select control_number from person_evidence_controls
     where owner_id = ${owner} and person_id = ${personId}
     order by control_number desc limit 1`;
  return last?.control_number ?? 0;
}

/**
 * Selects live evidence about a person, by identifier, for evaluations. Texts are included only on
 * request, and only of entries with consent.
 */
export function findSourceEntries(
  sql: Sql,
  owner: string,
  personId: string,
  withWords: boolean,
): Query<SourceEntry> {
  return sql<SourceEntry>`
    select evidence_id, stance, source_kind, content_hash, privacy, provider_consent,
           effective_privacy, case when ${withWords} and provider_consent then content end as content
      from ${EVIDENCE_LEDGER.entries(sql)}
     where owner_id = ${owner} and person_id = ${personId} and state = 'LIVE'
     order by evidence_id`;
}

import type { Query, Sql } from "../../database/sql.ts";
import type { PageQuery } from "../../http/page.ts";
import type { RowOf } from "../../kit/columns.ts";
import { controlledLedger } from "../../kit/controlled_ledger.ts";
import {
  DETAIL,
  type Detail,
  DETAIL_CONTROL_COLUMNS,
  DETAIL_SCHEMA,
  type DetailRow,
  showDetail,
} from "./detail.ts";
import { mayReadSecrets } from "./privacy.ts";

type DetailControl = RowOf<typeof DETAIL_CONTROL_COLUMNS>;

interface DetailPage extends PageQuery {
  /** "true" to include ended ones. */
  readonly all?: "true" | "false";
}

export const DETAIL_LEDGER = controlledLedger<DetailRow, Detail, DetailControl>({
  policy: "relationship-detail",
  table: "person_details",
  columns: DETAIL,
  id: "detail_id",
  root: "person_id",
  controls: {
    table: "person_detail_controls",
    columns: DETAIL_CONTROL_COLUMNS,
    order: "person_revision",
  },
  alike: ["person_id", "kind"],
  conflict: "RELATIONSHIP_ENTRY_CONFLICT",
  mayReadSecrets,
  schema: DETAIL_SCHEMA,
  show: showDetail,
  conditions: (sql, { all }: DetailPage) => all === "true" ? null : sql`and state = 'LIVE'`,
});

/** Call it only while the person is locked. */
export async function countLiveDetails(sql: Sql, owner: string, personId: string): Promise<number> {
  const [row] = await sql<{ readonly live: number }>`
    select count(*)::integer as live from ${DETAIL_LEDGER.entries(sql)}
     where owner_id = ${owner} and person_id = ${personId} and state = 'LIVE'`;
  return row?.live ?? 0;
}

/** Oldest first. */
export function findLiveDetails(
  sql: Sql,
  owner: string,
  personIds: readonly string[],
  withSecrets: boolean,
): Query<DetailRow> {
  return sql<DetailRow>`
    select live.* from unnest(string_to_array(${personIds.join(" ")}, ' ')) as wanted (id)
     cross join lateral (
       select ${DETAIL_LEDGER.whole(sql)} from ${DETAIL_LEDGER.entries(sql)}
        where owner_id = ${owner} and person_id = wanted.id and state = 'LIVE'
          ${withSecrets ? sql`` : sql`and privacy_today <> 'SECRET'`} offset 0) live
     order by live.person_id, live.person_revision, live.detail_id`;
}

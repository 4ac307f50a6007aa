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
import type { CardDetailRow } from "./vcard_detail.ts";

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

/** With the lines of their cards, oldest first. */
export function findLiveDetails(
  sql: Sql,
  owner: string,
  personIds: readonly string[],
  withSecrets: boolean,
): Query<CardDetailRow> {
  return sql<CardDetailRow>`
    select live.* from unnest(string_to_array(${personIds.join(" ")}, ' ')) as wanted (id)
     cross join lateral (
       select ${DETAIL_LEDGER.whole(sql)}, lines::text as lines
         from ${DETAIL_LEDGER.entries(sql)}
        where owner_id = ${owner} and person_id = wanted.id and state = 'LIVE'
          ${withSecrets ? sql`` : sql`and privacy_today <> 'SECRET'`} offset 0) live
     order by live.person_id, live.person_revision, live.detail_id`;
}

/**
 * The column `file_details` of a person at a revision, from the columns `owner_id`, `person_id` and
 * `revision`: a JSON array of the values of `OTHER` details that begin with a link to a file, the
 * oldest first. The details are live at the revision and not SECRET today.
 */
export function fileDetails(sql: Sql): Query<object> {
  // Other names, because the person's columns have the same. Without `offset 0` a plan made while
  // there are few controls would look at all of them for each detail.
  return sql`(
    select json_agg(value order by since, detail_id)::text
      from (select owner_id as owner, person_id as person, person_revision as since, detail_id,
                   kind, privacy, value
              from person_details) detail
     where owner = owner_id and person = person_id and since <= revision and kind = 'OTHER'
       and privacy <> 'SECRET' and value::text like '%"value":"attachment:%'
       and not exists (
         select from (select owner_id as owner, detail_id as ended, person_revision as at,
                             kind, privacy
                        from person_detail_controls) control
          where control.owner = detail.owner and ended = detail_id
            and (control.privacy = 'SECRET'
                 or control.kind <> 'PRIVACY_RECLASSIFIED' and at <= revision) offset 0))
    as file_details`;
}

import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { longColumns, namesOf, shortColumns, valuesOf } from "../../kit/columns.ts";
import { EXPERIENCE, type ExperienceRow } from "./experience.ts";
import { mayReadSecrets } from "./privacy.ts";
import { timelineEntry } from "./timeline_store.ts";

/** CTEs of an experience and its timeline entry, conditional on the claim. */
export function experienceEntries(sql: Sql, owner: string, row: ExperienceRow): Query<object> {
  return sql`
    experience as (
      insert into person_experiences (owner_id, ${namesOf(sql, EXPERIENCE)})
      select ${owner}, ${valuesOf(sql, EXPERIENCE, row)}
        from claim where verdict = 'GO'
    ),
    ${
    timelineEntry(sql, owner, {
      person_id: row.person_id,
      kind: "EXPERIENCE_RECORDED",
      source_id: row.experience_id,
      occurred_at: row.occurred_at,
      recorded_at: row.recorded_at,
    })
  }`;
}

export function findExperience(
  sql: Sql,
  owner: string,
  personId: string,
  experienceId: string,
): Query<ExperienceRow> {
  return sql<ExperienceRow>`
    select ${namesOf(sql, EXPERIENCE)} from person_experiences
     where owner_id = ${owner} and person_id = ${personId} and experience_id = ${experienceId}`;
}

/** Newest first. */
export async function readExperiences(
  sql: Sql,
  reader: Caller,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<ExperienceRow>> {
  return await readRows<ExperienceRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from person_experiences
         where owner_id = ${reader.account.accountId} and person_id = ${personId}
           ${cursor === null ? sql`` : sql`and experience_id < ${cursor}`}
         order by experience_id desc limit ${limit}`,
    {
      columns: shortColumns(sql, EXPERIENCE),
      long: {
        ...longColumns(sql, EXPERIENCE),
        hidden: mayReadSecrets(reader) ? null : sql`privacy = 'SECRET'`,
      },
      limit,
    },
  );
}

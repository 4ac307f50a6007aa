/** Deaths, after which neither other dates nor contacts of a person are due. */

import type { Query, Sql } from "../../database/sql.ts";

/**
 * Condition: a live detail of a person states a death before a day. On the day itself the person
 * still counts as living; a year alone counts from its 1 January, and a death without a year, or
 * one that a kept line of a card states, from the beginning. SECRET details count too.
 *
 * @param day Expression of a day `YYYY-MM-DD`.
 */
export function isDead(
  sql: Sql,
  owner: Query<object>,
  person: Query<object>,
  day: Query<object>,
): Query<object> {
  // Without `offset 0` a plan could read the deaths of all people.
  return sql`exists (
    select from person_details e
     where e.owner_id = ${owner} and e.person_id = ${person}
       and stated_death(e.kind, e.value) is not null
       and stated_death(e.kind, e.value) collate "C" < ${day} and not exists (
         select from person_detail_controls c
          where c.owner_id = e.owner_id and c.detail_id = e.detail_id
            and c.kind <> 'PRIVACY_RECLASSIFIED' offset 0) offset 0)`;
}

/** UIDs of the cards that made or joined people. */

import type { Query, Sql } from "../database/sql.ts";
import type { StoredUid } from "../families/relationship/import_port.ts";

/**
 * Finds the keys of the items of cards, and further UIDs, oldest first; of those with one compared
 * form, the oldest. The key of a card without a UID is left out.
 *
 * @param people A query of identifiers.
 */
export function findUids(sql: Sql, owner: string, people: Query<object>): Query<StoredUid> {
  return sql<StoredUid>`
    select person_id, uid
      from (
        select distinct on (o.person_id, compared_uid(o.uid)) o.*
          from (${people}) as wanted (id) cross join lateral (
            select record_id as person_id, key as uid, origin_id from import_origins
             where owner_id = ${owner} and record_id = wanted.id and target = 'person'
               and (source = 'vcard' or source like 'vcard:%')
               and (kind = 'UID' or kind = 'ITEM' and key !~ '^(?:digest|sha256|place):')
            offset 0) o
         order by o.person_id, compared_uid(o.uid), o.origin_id) uids
     order by person_id, origin_id`;
}

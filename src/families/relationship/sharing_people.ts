/** Stored people with the emails and numbers of others. */

import type { Sql } from "../../database/sql.ts";
import { comparedForms, isSameForm, sharedText } from "./compared_number.ts";

/** A person with an email or number that shares a text. */
interface SharingRow {
  readonly shared: string;
  readonly person_id: string;
  readonly kind: string;
  readonly value: string;
}

/**
 * Active and paused people who have a live email or number among these that is not SECRET.
 *
 * @param forms In compared form.
 * @param limit For each text that forms share.
 * @returns The people of each form.
 */
export async function findSharing(
  sql: Sql,
  owner: string,
  forms: readonly string[],
  limit: number,
): Promise<(form: string) => readonly string[]> {
  const texts = [...new Set(forms.map(sharedText))];
  if (texts.length === 0) return () => [];
  const rows = await sql<SharingRow>`
    select distinct wanted.shared, found.person_id, found.kind, found.value
      from json_array_elements_text(${JSON.stringify(texts)}::text::json) as wanted (shared)
     cross join lateral (
       select d.person_id, d.kind, d.value
         from (select detail_id, person_id, kind, value::text from person_details
                where owner_id = ${owner} and kind in ('EMAIL', 'PHONE') and privacy <> 'SECRET'
                  and shared_by_details(kind, value) = wanted.shared offset 0) d
        cross join lateral (
          select from people p
           where p.owner_id = ${owner} and p.person_id = d.person_id
             and p.status in ('ACTIVE', 'PAUSED') offset 0) p
        where not exists (
          select from person_detail_controls c
           where c.owner_id = ${owner} and c.detail_id = d.detail_id
             and (c.kind <> 'PRIVACY_RECLASSIFIED' or c.privacy = 'SECRET'))
        limit ${limit}) found
     order by wanted.shared, found.person_id`;
  const found = Map.groupBy(
    rows.map(({ kind, value, ...row }) => {
      return { ...row, form: comparedForms([{ kind, value: JSON.parse(value) }])[0] ?? "" };
    }),
    ({ shared }) => shared,
  );
  return (form) => {
    const sharing = (found.get(sharedText(form)) ?? []).filter((row) => isSameForm(form, row.form));
    return [...new Set(sharing.map(({ person_id }) => person_id))];
  };
}

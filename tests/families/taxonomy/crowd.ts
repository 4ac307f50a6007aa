/** Many tags, categories of one parent, and records of one tag: data for query plans. */

import type { Caller } from "../../support/world.ts";
import { insertRow, newRow } from "../../storage/family_rows.ts";
import { idOf, idsSql, insertMany, insertManyRows } from "../../storage/many_rows.ts";
import { AT, newRoot, revisionOf } from "../../storage/rows.ts";
import { CATEGORIES, newAssignment, TAGS } from "./rows.ts";

/** Prefixes by kind. */
export function crowdIds(
  beginning: string,
): Readonly<Record<"tags" | "categories" | "records" | "assignments", string>> {
  return {
    tags: `${beginning}T`,
    categories: `${beginning}C`,
    records: `${beginning}E`,
    assignments: `${beginning}A`,
  };
}

/** Every third term is inactive; one tag has as many records, one record as many tags. */
export function insertTaxonomyCrowd(
  { accountId }: Pick<Caller, "accountId">,
  count: number,
  beginning: string,
): string {
  const ids = crowdIds(beginning);
  const top = newRow(CATEGORIES, accountId, { term_id: idOf(ids.categories, 0) });
  const terms = (kind: typeof TAGS, own: string, columns = {}) =>
    insertManyRows(kind, newRow(kind, accountId, columns), count, own, {
      name: `'${own} ' || i`,
      aliases: "'[]'",
      deactivated_at: `case when i % 3 = 0 then timestamptz '${AT}' end`,
    });
  const record = newRoot(accountId);
  const numbered = { record_id: idsSql(ids.records), revision_id: idsSql(`${ids.records}R`) };
  const first = { term_id: idOf(ids.tags, 1), record_id: idOf(ids.records, 1) };
  const assignment = newAssignment({ owner_id: accountId, ...first }, { ...record, ...first });
  return [
    insertRow(CATEGORIES, top),
    terms(TAGS, ids.tags),
    terms(CATEGORIES, ids.categories, { parent_id: top.term_id ?? null }),
    `insert into taxonomy_names (owner_id, kind, compared, term_id, position, spelling)
       select owner_id, kind, lower(name), term_id, 0, name from taxonomy_terms
        where owner_id = '${accountId}' and aliases::text = '[]' and term_id like '${beginning}%';`,
    insertMany("records", record, count, numbered),
    insertMany("record_revisions", revisionOf(record), count, numbered),
    insertMany("taxonomy_assignments", assignment, count, {
      assignment_id: idsSql(`${ids.assignments}R`),
      record_id: idsSql(ids.records),
    }),
    insertMany("taxonomy_assignments", { ...assignment, term_id: "" }, count, {
      assignment_id: idsSql(`${ids.assignments}T`),
      term_id: `${idsSql(ids.tags).replace("i::text", "(i % 100 + 2)::text")}`,
      removed_at: `case when i > 98 then timestamptz '${AT}' end`,
    }),
  ].join("\n");
}

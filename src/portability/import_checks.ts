/** Checks of imported rows that no constraint covers. */

import type { Catalog } from "../catalog/catalog.ts";
import { identifier, type Query, type Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { refuseImport } from "./import_rules.ts";
import { LINE_TYPES } from "./line_types.ts";
import { ERASED_LINES } from "./lines/erased.ts";
import { EXECUTION_LINES, RECORD_LINES } from "./lines/records.ts";
import { ATTACHMENT_LINES, THUMBNAIL_LINES } from "./lines/attachments.ts";
import type { LineType } from "./description.ts";

/** An account with only these is empty: even an export of nothing is an execution. */
const UNCOUNTED: readonly LineType[] = [EXECUTION_LINES, ERASED_LINES];

/**
 * Rejects a non-empty account; `UNCOUNTED` types do not count.
 *
 * @throws ServiceError `ACCOUNT_NOT_EMPTY`
 */
export async function assertEmpty(sql: Sql, owner: string): Promise<void> {
  for (const { table, rows } of LINE_TYPES.filter((type) => !UNCOUNTED.includes(type))) {
    const found = await sql`
      select 1 from ${rows?.(sql) ?? identifier(sql, table)} t
       where t.owner_id = ${owner} limit 1`;
    if (found.length > 0) throw new ServiceError("ACCOUNT_NOT_EMPTY");
  }
}

/**
 * Rejects projections without roots, and thumbnails and payloads of missing attachments.
 *
 * @throws ServiceError `PAYLOAD_INVALID`
 */
export async function assertReferences(sql: Sql, owner: string, catalog: Catalog): Promise<void> {
  const offences = [
    ...LINE_TYPES.flatMap((type) => wrongProjections(sql, owner, type)),
    thumbnailsAlone(sql, owner),
    ...catalog.modules.flatMap(({ code, fields }) =>
      fields.flatMap((field) => {
        const isList = field.edit === "file";
        return isList || field.attachment === true
          ? [missingAttachments(sql, owner, code, field.name, isList)]
          : [];
      })
    ),
  ];
  for (const offence of offences) {
    if ((await offence).length > 0) refuseImport("import.reference");
  }
}

/** Records of a projected module that do not match its rows. */
function wrongProjections(
  sql: Sql,
  owner: string,
  { table, key: [id = ""], projection }: LineType,
): Query<object>[] {
  if (projection === null) return [];
  return [sql`
    select 1
      from (select record_id as id, revision_id, guard from ${identifier(sql, RECORD_LINES.table)}
             where owner_id = ${owner} and module_code = ${projection.moduleCode}) record
      full join (select ${identifier(sql, id)} as id, revision_id, ${projection.guard(sql)} as guard
                   from ${identifier(sql, table)} where owner_id = ${owner}) root using (id)
     where record.revision_id is distinct from root.revision_id
        or record.guard is distinct from root.guard
     limit 1`];
}

function thumbnailsAlone(sql: Sql, owner: string): Query<object> {
  return sql`
    select 1 from ${identifier(sql, THUMBNAIL_LINES.table)} t
     where t.owner_id = ${owner} and not exists (
       select from ${identifier(sql, ATTACHMENT_LINES.table)} a
        where a.owner_id = ${owner} and a.attachment_id = t.attachment_id)
     limit 1`;
}

/** Finds revisions that name an attachment that the owner neither has nor had erased. */
function missingAttachments(
  sql: Sql,
  owner: string,
  moduleCode: string,
  field: string,
  isList: boolean,
): Query<object> {
  const [revisions] = RECORD_LINES.lists;
  const named = isList
    ? sql`json_array_elements_text(revised.payload -> ${field}::text)`
    : sql`(select revised.payload ->> ${field}::text)`;
  return sql`
    select 1 from ${identifier(sql, revisions?.table ?? "")} revised
      cross join lateral ${named} as named (attachment_id)
     where revised.owner_id = ${owner} and revised.module_code = ${moduleCode}
       and named.attachment_id is not null and not exists (
         select from ${identifier(sql, ATTACHMENT_LINES.table)} a
          where a.owner_id = ${owner} and a.attachment_id = named.attachment_id)
       and not is_erased(${owner}, named.attachment_id)
     limit 1`;
}

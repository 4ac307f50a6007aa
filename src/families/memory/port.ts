/** The part of memory that other rooms may use. */

import type { Query, Sql } from "../../database/sql.ts";

/** The fields of a memory that its record does not show, as a JSON object. */
export function unshownMemoryFields(
  sql: Sql,
  owner: Query<object>,
  memoryId: Query<object>,
): Query<object> {
  return sql`
    select json_build_object('originalContent', original_content, 'currentContent', current_content,
                             'aiDraft', ai_draft)
      from memories where owner_id = ${owner} and memory_id = ${memoryId}`;
}

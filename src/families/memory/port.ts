import type { Query, Sql } from "../../database/sql.ts";

/** JSON object of the fields that the memory's record does not show. */
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

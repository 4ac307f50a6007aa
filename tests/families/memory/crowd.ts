/** Many memories, written past the application. */

import type { Caller } from "../../support/world.ts";

/** The i-th row's identifier; the prefix distinguishes tables. */
export function idSql(prefix: string): string {
  return `'01${prefix}' || lpad(i::text, 22, '0')`;
}

/** First revisions with three texts of this SQL expression. */
export function insertMemories(
  { accountId }: Caller,
  count: number,
  text: string,
  level: string,
): string {
  const content = `title, summary, memory_type, current_content, ai_draft, ai_draft_provider,
    privacy_level`;
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', ${idSql("KA")}, 'memory', 1, ${
    idSql("MA")
  }, 'SEED', now(), now(), now(),
             'A', '', '{}' from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where owner_id = '${accountId}';
    insert into memories (owner_id, memory_id, revision, revision_id, created_at, updated_at,
                          original_content, ${content})
      select owner_id, record_id, 1, revision_id, created_at, updated_at, ${text}, 'A', '', 'EVENT',
             ${text}, ${text}, 'A provider', '${level}'
        from records where owner_id = '${accountId}';
    insert into memory_revisions (owner_id, memory_id, revision, revision_id, change, created_at,
                                  ${content})
      select owner_id, memory_id, revision, revision_id, 'CREATED', updated_at, ${content}
        from memories where owner_id = '${accountId}';`;
}

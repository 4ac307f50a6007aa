/** Many resources, written past the application. */

import type { Caller } from "../../support/world.ts";

const CONTENT = "resource_type, name, unit, capacity, available, archived_at";

/** Two thirds archived, a quarter in the network. */
export function insertResources({ accountId }: Caller, count: number, snapshots: number): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      select '${accountId}', '01KA' || lpad(i::text, 22, '0'), 'resource', 1,
             '01MA' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(), 'A', '', '{}'
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where owner_id = '${accountId}';
    insert into resources (owner_id, resource_id, revision, revision_id, created_at, updated_at,
                           ${CONTENT})
      select owner_id, record_id, 1, revision_id, created_at, updated_at,
             case when n % 4 = 0 then 'NETWORK' else 'TIME' end, 'A', 'B', 10, n % 10,
             case when n % 3 > 0 then created_at end
        from (select *, right(record_id, 10)::integer as n from records
               where owner_id = '${accountId}') r;
    insert into resource_revisions (owner_id, resource_id, revision, revision_id, change, created_at,
                                    ${CONTENT})
      select owner_id, resource_id, 1, revision_id, 'CREATED', updated_at, ${CONTENT}
        from resources where owner_id = '${accountId}';
    insert into resource_snapshots (owner_id, snapshot_id, resource_id, resource_revision,
                                    observed_at, amount, created_at)
      select owner_id, case i when 1 then resource_id else overlay(resource_id placing i::text from 5)
             end, resource_id, 1, now() - i * interval '1 hour', i, now()
        from resources, generate_series(1, ${snapshots}) i where owner_id = '${accountId}';
    insert into executions (owner_id, execution_id, module_code, feature_id, strategy, status, output,
                            created_at)
      select owner_id, overlay(resource_id placing feature from 5), 'resource', 'RES-00' || feature,
             'export', 'SUCCEEDED', '{}', created_at
        from resources, unnest('{7,8}'::text[]) feature where owner_id = '${accountId}';`;
}

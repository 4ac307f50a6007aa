/** Checks that a server lets the service open its connections. */

import type { Database } from "./database.ts";
import { DatabaseServerError } from "./server_check.ts";

interface LimitRow {
  readonly role: number;
  readonly database: number;
  readonly server: number;
}

/** Names of the limits, and how each is raised. */
const LIMITS = {
  role: ["the role", "alter role … connection limit"],
  database: ["the database", "alter database … connection limit"],
  server: ["the server", "max_connections"],
} as const;

/**
 * Compares the connections of a pool with the limits of role, database and server. Under a lower
 * limit the last connections would fail under load, so that every write is 503. Other sessions are
 * not counted.
 *
 * @throws DatabaseServerError if the pool is larger.
 */
export async function checkConnectionLimit(database: Database, poolSize: number): Promise<void> {
  const [row] = await database.read((sql) =>
    // -1 means unlimited, and superusers are unlimited. Reserved connections are for superusers.
    sql<LimitRow>`
      select case when r.rolsuper or r.rolconnlimit < 0 then 1e9 else r.rolconnlimit end::int as role,
             case when r.rolsuper or d.datconnlimit < 0 then 1e9 else d.datconnlimit end::int as database,
             current_setting('max_connections')::int
               - case when r.rolsuper then 0
                      else current_setting('superuser_reserved_connections')::int
                        + coalesce(current_setting('reserved_connections', true), '0')::int
                 end as server
        from pg_roles r, pg_database d
       where r.rolname = current_user and d.datname = current_database()`
  );
  for (const [name, [who, remedy]] of Object.entries(LIMITS)) {
    const limit = row?.[name as keyof LimitRow] ?? poolSize;
    if (limit >= poolSize) continue;
    throw new DatabaseServerError(
      `DATABASE_POOL_SIZE is ${poolSize}, and ${who} allows ${limit} connections: raise that limit ` +
        `(${remedy}), or set DATABASE_POOL_SIZE to ${limit} or less`,
    );
  }
}

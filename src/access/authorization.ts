/** Fixed identifiers that a migration inserts. Other permissions, roles and pairs grant nothing. */

import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import {
  isPermission,
  isRole,
  type Permission,
  PERMISSION_IDS,
  ROLE_IDS,
  type RoleMatrix,
} from "./permissions.ts";

/** The database uses a fixed identifier or its name for something else. Nothing was changed. */
export class AuthorizationIdentifierConflictError extends Error {
  override readonly name = "AuthorizationIdentifierConflictError";

  constructor() {
    super(
      "AUTHORIZATION_IDENTIFIER_CONFLICT: the database holds a permission or role whose name or " +
        "identifier this release uses for another. Nothing was changed.",
    );
  }
}

/**
 * Checks the fixed identifiers before any migration, without changing anything.
 *
 * @throws AuthorizationIdentifierConflictError for a known name with another identifier, or the
 *   reverse.
 */
export async function checkAuthorizationIdentifiers(database: Database): Promise<void> {
  await database.read(async (sql) => {
    const [tables] = await sql<{ exist: boolean }>`
      select to_regclass('permissions') is not null and to_regclass('roles') is not null as exist`;
    if (!tables?.exist) return;
    const [permissions, roles] = await Promise.all([
      sql<IdentifierRow>`select permission_id as id, name from permissions`,
      sql<IdentifierRow>`select role_id as id, name from roles`,
    ]);
    assertNoConflict(permissions, PERMISSION_IDS);
    assertNoConflict(roles, ROLE_IDS);
  });
}

interface IdentifierRow {
  readonly id: string;
  readonly name: string;
}

function assertNoConflict(
  stored: readonly IdentifierRow[],
  fixed: Readonly<Record<string, string>>,
): void {
  for (const [name, id] of Object.entries(fixed)) {
    const conflicts = stored.some((row) => (row.name === name) !== (row.id === id));
    if (conflicts) throw new AuthorizationIdentifierConflictError();
  }
}

/** Loads the permissions of each role, once at start: they change only with a release. */
export async function loadRoleMatrix(database: Database): Promise<RoleMatrix> {
  const rows = await database.read((sql: Sql) =>
    sql<{ role: string; permission: string }>`
      select roles.name as role, permissions.name as permission
        from role_permissions join roles using (role_id) join permissions using (permission_id)`
  );
  const matrix = new Map<string, Set<Permission>>();
  for (const { role, permission } of rows) {
    if (!isRole(role) || !isPermission(permission)) continue;
    const permissions = matrix.get(role) ?? new Set();
    matrix.set(role, permissions.add(permission));
  }
  return matrix;
}

/** Stored roles: a ledger whose newest entry the profile repeats. */

import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { wholeColumns } from "../../database/page_bytes.ts";
import { readRows } from "../../database/walk.ts";
import { longColumns, namesOf, shortColumns, valuesOf } from "../../kit/columns.ts";
import type { LedgerEntry } from "../../kit/entry.ts";
import { profileEntries, type ProfileTypes } from "./profile_store.ts";
import {
  type DecidedRole,
  type PresentRoles,
  ROLE,
  type Role,
  ROLE_SCHEMA,
  type RoleRow,
  showRole,
} from "./role.ts";

/** Newest first. */
export const ROLES: LedgerEntry<ProfileTypes["key"], RoleRow, Role> = {
  policy: "identity-role",
  idName: "roleId",
  find: (sql, owner, _key, roleId) => findRole(sql, owner, roleId),
  cursor: (sql, owner, _key, roleId) => findRole(sql, owner, roleId),
  rows: (sql, { account: { accountId: owner } }, _key, { cursor, limit }) =>
    readRows<RoleRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from identity_roles
           where owner_id = ${owner} ${cursor === null ? sql`` : isAfter(sql, owner, cursor)}
           order by changed_at desc, role_id desc limit ${limit}`,
      {
        columns: shortColumns(sql, ROLE),
        long: longColumns(sql, ROLE),
        limit,
      },
    ),
  cursorOf: (row) => row.role_id,
  show: showRole,
  schema: ROLE_SCHEMA,
};

function isAfter(sql: Sql, owner: string, cursor: string): Query<object> {
  return sql`and (changed_at, role_id) < (
    select changed_at, role_id from identity_roles
     where owner_id = ${owner} and role_id = ${cursor})`;
}

function findRole(sql: Sql, owner: string, roleId: string): Query<RoleRow> {
  return sql<RoleRow>`
    select ${shortColumns(sql, ROLE)}, ${wholeColumns(sql, longColumns(sql, ROLE))}
      from identity_roles
     where owner_id = ${owner} and role_id = ${roleId}`;
}

/** Call it only while the profile is locked. */
export async function readPresentRoles(
  sql: Sql,
  owner: string,
  newestId: string | null,
): Promise<PresentRoles> {
  if (newestId === null) return { newest: null, last: null };
  const [row] = await sql<PresentRoles>`
    select changed_at as newest,
           (select max(role_id) from identity_roles where owner_id = ${owner}) as last
      from identity_roles where owner_id = ${owner} and role_id = ${newestId}`;
  if (row === undefined) throw new Error("The profile names a role that does not exist");
  return row;
}

export function writeRole(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  { role, revision }: DecidedRole,
): Query<ClaimRow> {
  const profile = revision && profileEntries(sql, owner, revision.row, revision.change);
  return sql<ClaimRow>`
    with ${ledger.claim},
    role as (
      insert into identity_roles (owner_id, ${namesOf(sql, ROLE)})
      select ${owner}, ${valuesOf(sql, ROLE, role)}
        from claim where verdict = 'GO'
    ),
    ${profile === null ? sql`` : sql`${profile},`}
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

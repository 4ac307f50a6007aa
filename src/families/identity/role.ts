/**
 * Roles: the owner's occupations, since when, and why. The newest one is the profile's. No SQL, no HTTP.
 */

import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { idAfter } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../kit/columns.ts";
import { fieldsOf, keptFields } from "../kit/declaration.ts";
import { newColumns } from "../kit/fields.ts";
import { id, line, longText, revision, stamp, time } from "../kit/kinds.ts";
import { appendRevision } from "../kit/root.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";
import type { ProfileRow } from "./profile.ts";

/** The fields of a request. */
const STATED = { role: line(), changed_at: time, reason: orNull(longText) };
export type RoleColumns = RowOf<typeof STATED>;

/** The columns of a role; roles never change. */
export const ROLE = {
  role_id: id,
  ...STATED,
  /** The revision of the profile that began with it; null for one that was not the newest. */
  profile_revision: orNull(revision),
  created_at: stamp,
};

/** A role as stored. */
export type RoleRow = RowOf<typeof ROLE>;

/** A role as a client sees it. */
export type Role = ShownOf<typeof ROLE>;

export const ROLE_SCHEMA: JsonSchema = component("Role", membersOf(ROLE));

/** The fields of a role. */
export const ROLE_FIELDS = keptFields(
  STATED,
  fieldsOf(STATED, [
    rule(
      "identity.role_changed_at_not_in_the_future",
      "changedAt is not in the future",
      notInTheFuture("changedAt"),
    ),
  ]),
);

/** The public form of a role. */
export function showRole(row: RoleRow): Role {
  return showColumns(ROLE, row);
}

/** @throws ServiceError `PAYLOAD_INVALID` for fields that are wrong in themselves. */
export function readRole(body: JsonObject, now: Date): RoleColumns {
  return newColumns(ROLE_FIELDS, body, { now, recordId: "" });
}

/** The existing roles, as the decision on a new one needs them. */
export interface PresentRoles {
  /** When the newest one began; null if there is none. */
  readonly newest: Date | null;
  /** The largest identifier; null if there is none. */
  readonly last: string | null;
}

/** A new role, and the revision of the profile that begins with it; null for one that is older. */
export interface DecidedRole {
  readonly role: RoleRow;
  readonly revision: { readonly row: ProfileRow; readonly change: "ROLE_CHANGED" } | null;
}

/** Decides an entry. Of two roles that begin at one instant the one that is entered last is newer. */
export function decideRole(
  profile: ProfileRow,
  { newest, last }: PresentRoles,
  columns: RoleColumns,
  now: Date,
): DecidedRole {
  const role_id = idAfter(last, now);
  const isNewest = newest === null || columns.changed_at >= newest;
  const revision = isNewest
    ? appendRevision(profile, "ROLE_CHANGED", now, { role: columns.role, role_id })
    : null;
  const profile_revision = revision?.row.revision ?? null;
  return { role: { role_id, ...columns, profile_revision, created_at: now }, revision };
}

/** Roles: the owner's occupations, since when, and why. The newest is the profile's. */

import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { idAfter } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { fieldsOf, keptFields } from "../../kit/declaration.ts";
import { newColumns } from "../../kit/fields.ts";
import { clocks, id, line, longText, revision, stamp, time } from "../../kit/kinds.ts";
import { appendRevision } from "../../kit/root.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";
import type { ProfileRow } from "./profile.ts";

const STATED = { role: line(), changed_at: time, reason: orNull(longText), clocks };
export type RoleColumns = RowOf<typeof STATED>;

/** Roles never change. */
export const ROLE = {
  role_id: id,
  ...STATED,
  /** The revision that this role added to the profile; null if the role was not the newest. */
  profile_revision: orNull(revision),
  created_at: stamp,
};

export type RoleRow = RowOf<typeof ROLE>;

export type Role = ShownOf<typeof ROLE>;

export const ROLE_SCHEMA: JsonSchema = component("Role", membersOf(ROLE));

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

export function showRole(row: RoleRow): Role {
  return showColumns(ROLE, row);
}

/** @throws ServiceError `PAYLOAD_INVALID` for invalid fields. */
export function readRole(body: JsonObject, now: Date): RoleColumns {
  return newColumns(ROLE_FIELDS, body, { now, recordId: "" });
}

export interface PresentRoles {
  /** `changedAt` of the newest role; null without roles. */
  readonly newest: Date | null;
  /** Largest identifier; null without roles. */
  readonly last: string | null;
}

export interface DecidedRole {
  readonly role: RoleRow;
  readonly revision: { readonly row: ProfileRow; readonly change: "ROLE_CHANGED" } | null;
}

/** Decides a role. If two begin at the same instant, the one entered last is newer. */
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

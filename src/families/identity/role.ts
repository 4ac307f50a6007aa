/** Roles: what the owner was, since when, and why. The newest one is the profile's. No SQL, no HTTP. */

import { datetime, text, textarea } from "../../catalog/fields.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { idAfter } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { type KeptFields, newColumns } from "../kit/fields.ts";
import { appendRevision } from "../kit/root.ts";
import {
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import type { ProfileRow } from "./profile.ts";

/** The fields of a role as columns. */
export interface RoleColumns {
  readonly role: string;
  readonly changed_at: Date;
  readonly reason: string | null;
}

/** A role as stored; none ever changes. */
export interface RoleRow extends RoleColumns {
  readonly role_id: string;
  /** The revision of the profile that began with it; null for one that was not the newest. */
  readonly profile_revision: number | null;
  readonly created_at: Date;
}

/** A role as a client sees it. */
export interface Role {
  readonly roleId: string;
  readonly role: string;
  readonly changedAt: string;
  readonly reason: string | null;
  readonly profileRevision: number | null;
  readonly createdAt: string;
}

export const ROLE_SCHEMA: JsonSchema = component<Role>("Role", {
  roleId: ULID,
  role: TEXT,
  changedAt: TIME,
  reason: nullable(TEXT),
  profileRevision: nullable(REVISION),
  createdAt: TIME,
});

/** What a role is made of. */
export const ROLE_FIELDS: Pick<KeptFields<never, RoleColumns>, "fields" | "columns"> = {
  fields: {
    fields: [
      text("role", { required: true }),
      datetime("changedAt", { required: true }),
      textarea("reason"),
    ],
    rules: [
      rule(
        "identity.role_changed_at_not_in_the_future",
        "changedAt is not in the future",
        notInTheFuture("changedAt"),
      ),
    ],
  },
  columns: (fields) => ({
    role: fields.text("role") ?? "",
    changed_at: fields.date("changedAt") ?? new Date(0),
    reason: fields.text("reason") ?? null,
  }),
};

/** The public form of a role. */
export function showRole(row: RoleRow): Role {
  return {
    roleId: row.role_id,
    role: row.role,
    changedAt: row.changed_at.toISOString(),
    reason: row.reason,
    profileRevision: row.profile_revision,
    createdAt: row.created_at.toISOString(),
  };
}

/** @throws ServiceError `PAYLOAD_INVALID` for fields that are wrong in themselves. */
export function readRole(body: JsonObject, now: Date): RoleColumns {
  return newColumns(ROLE_FIELDS, body, { now, recordId: "" });
}

/** What the roles that are there say to one that comes. */
export interface PresentRoles {
  /** When the newest one began; null where there is none. */
  readonly newest: Date | null;
  /** The greatest identifier; null where there is none. */
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

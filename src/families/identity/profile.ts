/** The profile; an owner has at most one. */

import { IDENTITY } from "../../catalog/modules/identity.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { orNull, type RowOf } from "../../kit/columns.ts";
import type { RootDeclaration, RootRowOf } from "../../kit/declaration.ts";
import { clocks, id, longText } from "../../kit/kinds.ts";
import {
  type FieldPatch,
  type KeptFields,
  newColumns,
  type PatchRoute,
  patchRoute,
  presentFields,
} from "../../kit/fields.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { firstRevision, ROOT_MEMBERS, type ShownRoot, showRoot } from "../../kit/root.ts";
import { component, type JsonSchema, TEXT, ULID } from "../../validate/json_schema.ts";
import {
  type LocalTimes,
  localTimesOf,
  localTimesSchema,
  parseClocks,
} from "../../validate/local_time.ts";
import {
  FIELD_COLUMNS,
  FIELD_MEMBERS,
  fieldColumns,
  type IdentityFields,
  showFields,
} from "./fields.ts";

export type ProfileChange = "MODIFIED" | "ROLE_CHANGED" | "IMPORTED";

export const PROFILE = {
  table: "identity_profiles",
  ledger: "identity_profile_revisions",
  fixed: { profile_id: id },
  fields: { ...FIELD_COLUMNS, display_name: longText, clocks },
  /** The newest role, whose text is `role`; null without roles. */
  state: { role_id: orNull(id) },
} satisfies RootDeclaration;

export type ProfileColumns = RowOf<typeof PROFILE.fields>;

export type ProfileRow = RootRowOf<typeof PROFILE>;

export interface Profile extends IdentityFields, ShownRoot {
  readonly profileId: string;
  readonly displayName: string;
  readonly localTimes: LocalTimes;
}

const PROFILE_MEMBERS = {
  profileId: ULID,
  ...FIELD_MEMBERS,
  displayName: TEXT,
  localTimes: localTimesSchema(["startedAt", "endedAt"]),
  ...ROOT_MEMBERS,
} as const satisfies { readonly [Name in keyof Profile]: JsonSchema };

export const PROFILE_SCHEMA: JsonSchema = component<Profile>("Profile", PROFILE_MEMBERS);

export const PROFILE_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "ProfileRevision",
  PROFILE_MEMBERS,
  ["CREATED", "MODIFIED", "ROLE_CHANGED", "IMPORTED"],
);

export const PROFILE_FIELDS: KeptFields<ProfileRow, ProfileColumns> = {
  fields: IDENTITY,
  read: (row) => presentFields({ ...showFields(row) }),
  columns: (fields) => ({
    ...fieldColumns(fields),
    display_name: fields.text("displayName") ?? "",
    clocks: fields.clocks(),
  }),
};

export function showProfile(row: ProfileRow): Profile {
  return {
    profileId: row.profile_id,
    ...showFields(row),
    displayName: row.display_name,
    localTimes: localTimesOf(PROFILE_FIELDS.read(row), parseClocks(row.clocks)),
    ...showRoot(row),
  };
}

/** @throws ServiceError `PAYLOAD_INVALID` by the module's policy. */
export function decideProfile(body: JsonObject, now: Date): ProfileRow {
  const profile_id = newId(now);
  const columns = newColumns(PROFILE_FIELDS, body, { now, recordId: profile_id });
  return { profile_id, ...firstRevision(now), ...columns, role_id: null };
}

const FIELDS_PATCH = patchRoute(({ profile_id }: ProfileRow) => profile_id, PROFILE_FIELDS);

/** Cannot set the current role if there are roles, because the newest one determines it. */
export const PROFILE_PATCH: PatchRoute<ProfileRow> = {
  ...FIELDS_PATCH,
  decide(profile, patch, now) {
    assertRoleIsFree(profile, patch);
    return FIELDS_PATCH.decide(profile, patch, now);
  },
};

function assertRoleIsFree(
  { role_id }: Pick<ProfileRow, "role_id">,
  { set = {}, remove = [] }: FieldPatch,
): void {
  if (role_id === null) return;
  if (Object.hasOwn(set, "currentRole") || remove.includes("currentRole")) {
    throw new ServiceError("IDENTITY_STATE_CONFLICT");
  }
}

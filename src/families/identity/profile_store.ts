import type { Query, Sql } from "../../database/sql.ts";
import { rootParts } from "../../kit/declaration.ts";
import { storedRevisions, storedRoot } from "../../kit/tables.ts";
import type { WriteOptions } from "../../kit/write.ts";
import {
  PROFILE,
  type Profile,
  PROFILE_REVISION_SCHEMA,
  PROFILE_SCHEMA,
  type ProfileChange,
  type ProfileRow,
  showProfile,
} from "./profile.ts";

/** The key is empty: an owner has one profile. */
export interface ProfileTypes {
  readonly key: Readonly<Record<never, string>>;
  readonly row: ProfileRow;
  readonly change: ProfileChange;
  readonly shown: Profile;
}

const STORED = storedRoot<ProfileTypes>({
  module: "identity",
  policy: "identity-profile",
  keyNames: [],
  ...rootParts(PROFILE),
  show: showProfile,
  schema: PROFILE_SCHEMA,
  isNamed: (sql) => sql`true`,
});

/** Every write of the family locks the profile first. */
export const PROFILES = STORED.root;

/** CTEs of a revision of the profile, for a statement that writes more. */
export const profileEntries = STORED.entries;

export const PROFILE_REVISIONS = storedRevisions<ProfileTypes>(STORED, PROFILE_REVISION_SCHEMA);

export const ONE_PROFILE: WriteOptions = {
  constraints: { one_profile_an_owner: "IDENTITY_STATE_CONFLICT" },
};

/** Whether the owner has a profile; without one, nothing of this family exists. */
export async function hasProfile(sql: Sql, owner: string): Promise<boolean> {
  return (await sql`select 1 from identity_profiles where owner_id = ${owner}`).length > 0;
}

/** An owner has at most one. */
export function countProfiles(sql: Sql, owner: string): Query<{ readonly count: number }> {
  return sql`select count(*)::int as count from identity_profiles where owner_id = ${owner}`;
}

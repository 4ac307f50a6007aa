/** The stored profile: a root and the ledger of its revisions. */

import type { Sql } from "../../database/sql.ts";
import { storedRevisions, storedRoot } from "../kit/tables.ts";
import type { WriteOptions } from "../kit/write.ts";
import { fieldColumnNames, fieldValues } from "./fields.ts";
import {
  type Profile,
  PROFILE_REVISION_SCHEMA,
  PROFILE_SCHEMA,
  type ProfileChange,
  type ProfileRow,
  showProfile,
} from "./profile.ts";

/** The types of an owner's only profile, which no identifier in a path names. */
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
  idOf: (row) => row.profile_id,
  show: showProfile,
  schema: PROFILE_SCHEMA,
  tables: (sql) => ({
    root: sql`identity_profiles`,
    ledger: sql`identity_profile_revisions`,
    id: sql`profile_id`,
    fixed: sql`profile_id`,
    changing: sql`${fieldColumnNames(sql)}, role_id`,
    short: sql`role, life_stage, started_at, ended_at, role_id`,
    long: {
      kind: "text",
      columns: {
        display_name: sql`display_name`,
        biography: sql`biography`,
        public_summary: sql`public_summary`,
        tags: sql`tags`,
      },
      hidden: null,
    },
  }),
  isNamed: (sql) => sql`true`,
  fixedValues: (sql, row) => sql`${row.profile_id}`,
  changingValues: (sql, row) => sql`${fieldValues(sql, row)}, ${row.role_id}`,
});

/** The profile. Every write of the family locks it first. */
export const PROFILES = STORED.root;

/** The CTEs of a revision of the profile, for a statement that writes more. */
export const profileEntries = STORED.entries;

export const PROFILE_REVISIONS = storedRevisions<ProfileTypes>(STORED, PROFILE_REVISION_SCHEMA);

/** The refusal of a second profile. */
export const ONE_PROFILE: WriteOptions = {
  constraints: { one_profile_an_owner: "IDENTITY_STATE_CONFLICT" },
};

/** Whether an owner has a profile; without one it has nothing of this family. */
export async function hasProfile(sql: Sql, owner: string): Promise<boolean> {
  return (await sql`select 1 from identity_profiles where owner_id = ${owner}`).length > 0;
}

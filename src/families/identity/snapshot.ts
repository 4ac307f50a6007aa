/** Snapshots: the current profile, or a past self in the owner's words, with a label. */

import { describeField } from "../../catalog/describe_field.ts";
import { datetime, text } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import { IDENTITY } from "../../catalog/modules/identity.ts";
import { PayloadView } from "../../catalog/payload_view.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { checkFieldPatch, fieldsBody, patchFields } from "../../kit/fields.ts";
import {
  component,
  type JsonSchema,
  nullable,
  objectOf,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import {
  type LocalTimes,
  localTimesOf,
  localTimesSchema,
  parseClocks,
  serialiseClocks,
  type SplitTimes,
} from "../../validate/local_time.ts";
import { jsonObject, optional } from "../../validate/schema.ts";
import {
  FIELD_MEMBERS,
  FIELD_NAMES,
  type FieldColumns,
  fieldColumns,
  type IdentityFields,
  showFields,
} from "./fields.ts";
import type { ProfileRow } from "./profile.ts";

/** Snapshots never change. */
export interface ProfileSnapshotRow {
  readonly snapshot_id: string;
  readonly label: string;
  readonly as_of: Date | null;
  /** The profile's revision that the snapshot freezes; null if it has its own fields. */
  readonly profile_revision: number | null;
  /** JSON of `IdentityFields`. */
  readonly fields: string;
  /** Those of `as_of` and of the times in `fields`. */
  readonly clocks: string | null;
  readonly created_at: Date;
}

export interface ProfileSnapshot {
  readonly snapshotId: string;
  readonly label: string;
  readonly asOf: string | null;
  readonly fields: IdentityFields;
  readonly localTimes: LocalTimes;
  readonly profileRevision: number | null;
  readonly createdAt: string;
}

export const PROFILE_SNAPSHOT_SCHEMA: JsonSchema = component<ProfileSnapshot>("Snapshot", {
  snapshotId: ULID,
  label: TEXT,
  asOf: nullable(TIME),
  fields: objectOf(FIELD_MEMBERS),
  localTimes: localTimesSchema(["asOf", "startedAt", "endedAt"]),
  profileRevision: nullable(REVISION),
  createdAt: TIME,
});

const ABOUT: FieldSet = {
  fields: [text("label", { required: true, maximumLength: 200 }), datetime("asOf")],
  rules: [
    rule(
      "identity.snapshot_as_of_not_in_the_future",
      "asOf is not in the future",
      notInTheFuture("asOf"),
    ),
  ],
};

const PAST_SELF: FieldSet = {
  ...IDENTITY,
  fields: IDENTITY.fields.map((field) => ({ ...field, required: false })),
};

const PAST_SELF_SCHEMA: JsonSchema = objectOf(
  Object.fromEntries(IDENTITY.fields.map((field) => [field.name, describeField(field)])),
  FIELD_NAMES,
);

export const PAST_SELF_BODY = {
  ...fieldsBody(ABOUT),
  fields: { ...jsonObject, json: PAST_SELF_SCHEMA },
};

/** A snapshot without `fields` freezes the profile. */
export const SNAPSHOT_BODY = { ...PAST_SELF_BODY, fields: optional(PAST_SELF_BODY.fields) };

/** `own` is null if it freezes the profile; `clocks` then has at most the clock of `as_of`. */
export interface StatedSnapshot extends Pick<ProfileSnapshotRow, "label" | "as_of" | "clocks"> {
  readonly own: FieldColumns | null;
}

/** @throws ServiceError `PAYLOAD_INVALID` for invalid fields. */
export function readSnapshot(
  { fields, ...sent }: JsonObject & { readonly fields?: JsonObject },
  now: Date,
): StatedSnapshot {
  const context = { now, recordId: "" };
  const about = patchFields(ABOUT, {}, { set: sent }, context);
  const past = fields ? readPastSelf(fields, context) : null;
  const view = new PayloadView(about.fields);
  return {
    label: view.text("label") ?? "",
    as_of: view.date("asOf") ?? null,
    own: past && fieldColumns(new PayloadView(past.fields)),
    clocks: serialiseClocks({ ...about.clocks, ...past?.clocks }),
  };
}

function readPastSelf(fields: JsonObject, context: { now: Date; recordId: string }): SplitTimes {
  checkFieldPatch(IDENTITY, { set: fields }, context);
  return patchFields(PAST_SELF, {}, { set: fields }, context);
}

export function decideSnapshot(
  profile: ProfileRow,
  { own, clocks, ...about }: StatedSnapshot,
  now: Date,
): ProfileSnapshotRow {
  const profileClocks = own === null ? profile.clocks : null;
  return {
    snapshot_id: newId(now),
    ...about,
    profile_revision: own === null ? profile.revision : null,
    fields: JSON.stringify(showFields(own ?? profile)),
    clocks: serialiseClocks({ ...parseClocks(clocks), ...parseClocks(profileClocks) }),
    created_at: now,
  };
}

export function showSnapshot(row: ProfileSnapshotRow): ProfileSnapshot {
  const fields: IdentityFields = JSON.parse(row.fields);
  const asOf = row.as_of?.toISOString() ?? null;
  return {
    snapshotId: row.snapshot_id,
    label: row.label,
    asOf,
    fields,
    localTimes: localTimesOf({ ...fields, asOf }, parseClocks(row.clocks)),
    profileRevision: row.profile_revision,
    createdAt: row.created_at.toISOString(),
  };
}

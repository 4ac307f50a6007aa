/** Snapshots: the current profile, or a past self in the owner's words, with a label. */

import { describeField } from "../../catalog/describe_field.ts";
import { datetime, text } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import { IDENTITY } from "../../catalog/modules/identity.ts";
import { PayloadView } from "../../catalog/payload_view.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  checkFieldPatch,
  fieldsBody,
  type KeptFields,
  newColumns,
  patchFields,
} from "../../kit/fields.ts";
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
  readonly created_at: Date;
}

export interface ProfileSnapshot {
  readonly snapshotId: string;
  readonly label: string;
  readonly asOf: string | null;
  readonly fields: IdentityFields;
  readonly profileRevision: number | null;
  readonly createdAt: string;
}

export const PROFILE_SNAPSHOT_SCHEMA: JsonSchema = component<ProfileSnapshot>("Snapshot", {
  snapshotId: ULID,
  label: TEXT,
  asOf: nullable(TIME),
  fields: objectOf(FIELD_MEMBERS),
  profileRevision: nullable(REVISION),
  createdAt: TIME,
});

const ABOUT: Pick<
  KeptFields<never, Pick<ProfileSnapshotRow, "label" | "as_of">>,
  "fields" | "columns"
> = {
  fields: {
    fields: [text("label", { required: true, maximumLength: 200 }), datetime("asOf")],
    rules: [
      rule(
        "identity.snapshot_as_of_not_in_the_future",
        "asOf is not in the future",
        notInTheFuture("asOf"),
      ),
    ],
  },
  columns: (fields) => ({
    label: fields.text("label") ?? "",
    as_of: fields.date("asOf") ?? null,
  }),
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
  ...fieldsBody(ABOUT.fields),
  fields: { ...jsonObject, json: PAST_SELF_SCHEMA },
};

/** A snapshot without `fields` freezes the profile. */
export const SNAPSHOT_BODY = { ...PAST_SELF_BODY, fields: optional(PAST_SELF_BODY.fields) };

/** `own` is null if it freezes the profile. */
export interface StatedSnapshot extends Pick<ProfileSnapshotRow, "label" | "as_of"> {
  readonly own: FieldColumns | null;
}

/** @throws ServiceError `PAYLOAD_INVALID` for invalid fields. */
export function readSnapshot(
  { fields, ...about }: JsonObject & { readonly fields?: JsonObject },
  now: Date,
): StatedSnapshot {
  const context = { now, recordId: "" };
  return {
    ...newColumns(ABOUT, about, context),
    own: fields ? readPastSelf(fields, context) : null,
  };
}

function readPastSelf(fields: JsonObject, context: { now: Date; recordId: string }): FieldColumns {
  checkFieldPatch(IDENTITY, { set: fields }, context);
  const past = patchFields(PAST_SELF, {}, { set: fields }, context);
  return fieldColumns(new PayloadView(past.fields, past.clocks));
}

export function decideSnapshot(
  profile: ProfileRow,
  { own, ...about }: StatedSnapshot,
  now: Date,
): ProfileSnapshotRow {
  return {
    snapshot_id: newId(now),
    ...about,
    profile_revision: own === null ? profile.revision : null,
    fields: JSON.stringify(showFields(own ?? profile)),
    created_at: now,
  };
}

export function showSnapshot(row: ProfileSnapshotRow): ProfileSnapshot {
  return {
    snapshotId: row.snapshot_id,
    label: row.label,
    asOf: row.as_of?.toISOString() ?? null,
    fields: JSON.parse(row.fields),
    profileRevision: row.profile_revision,
    createdAt: row.created_at.toISOString(),
  };
}

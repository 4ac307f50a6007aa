/** Rules of an import: its new rows, given the existing ones. */

import { IDENTITY } from "../../catalog/modules/identity.ts";
import { newId, withIdsAfter } from "../../core/ids.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { fieldsBody, newColumns } from "../../kit/fields.ts";
import { appendRevision, firstRevision } from "../../kit/root.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  REVISION,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import {
  describeObject,
  type InferObject,
  integer,
  jsonObject,
  type ObjectSchema,
  oneOf,
  optional,
  readBody,
  type Schema,
} from "../../validate/schema.ts";
import { type FieldColumns, NO_FIELDS } from "./fields.ts";
import { PROFILE_FIELDS, type ProfileColumns, type ProfileRow } from "./profile.ts";
import { readRole, ROLE_FIELDS, type RoleColumns, type RoleRow } from "./role.ts";
import { PAST_SELF_BODY, readSnapshot } from "./snapshot.ts";
import { STAGE_FIELDS, type StageColumns, type StageRow } from "./stage.ts";

const CONFLICT_MODES = ["REJECT", "CREATE_SNAPSHOT"] as const;

/** `readImport` checks its objects. */
export const IDENTITY_IMPORT_BODY = {
  version: integer(1, 1),
  conflictMode: oneOf(...CONFLICT_MODES),
  profile: { ...jsonObject, json: describeObject(fieldsBody(IDENTITY)) },
  stages: optional(objects(fieldsBody(STAGE_FIELDS.fields))),
  roles: optional(objects(fieldsBody(ROLE_FIELDS.fields))),
  snapshots: optional(objects(PAST_SELF_BODY)),
};

export type IdentityImportBody = InferObject<typeof IDENTITY_IMPORT_BODY>;

function objects(shape: ObjectSchema): Schema<JsonObject[]> {
  return {
    check(value, field, violations) {
      const isList = Array.isArray(value) && value.every(isJsonObject);
      return isList ? value : violations.add("field.type", field);
    },
    json: listOf(describeObject(shape)),
  };
}

interface ImportedSnapshot extends FieldColumns {
  readonly label: string;
  readonly as_of: Date | null;
  readonly clocks: string | null;
}

export interface ImportedIdentity {
  readonly conflictMode: (typeof CONFLICT_MODES)[number];
  readonly profile: ProfileColumns;
  readonly stages: readonly StageColumns[];
  readonly roles: readonly RoleColumns[];
  readonly snapshots: readonly ImportedSnapshot[];
}

/** @throws ServiceError `PAYLOAD_INVALID` for the first object with invalid fields. */
export function readImport(body: IdentityImportBody, now: Date): ImportedIdentity {
  const context = { now, recordId: "" };
  return {
    conflictMode: body.conflictMode,
    profile: newColumns(PROFILE_FIELDS, body.profile, context),
    stages: (body.stages ?? []).map((stage) => newColumns(STAGE_FIELDS, stage, context)),
    roles: (body.roles ?? []).map((role) => readRole(role, now)),
    snapshots: (body.snapshots ?? []).map((snapshot) => {
      const { own, ...about } = readSnapshot(readBody(PAST_SELF_BODY, snapshot), now);
      if (own === null) throw new Error("A snapshot without fields was let through");
      return { ...about, ...own };
    }),
  };
}

type NewestRole = Pick<RoleRow, "role_id" | "role" | "changed_at">;

/** Existing rows. The lists contain the positions of imported rows that equal a stored one. */
export interface PresentIdentity {
  readonly stages: ReadonlySet<number>;
  readonly roles: ReadonlySet<number>;
  readonly snapshots: ReadonlySet<number>;
  readonly newestRole: NewestRole | null;
  /** Largest identifier of a role; null if there is none. */
  readonly lastRole: string | null;
  /** Likewise of a snapshot. */
  readonly lastSnapshot: string | null;
}

/** Without a profile nothing else exists. */
export const NOTHING_PRESENT: PresentIdentity = {
  stages: new Set(),
  roles: new Set(),
  snapshots: new Set(),
  newestRole: null,
  lastRole: null,
  lastSnapshot: null,
};

/** A snapshot to write: it freezes `profile_revision`, or has its own fields if that is null. */
interface NewSnapshot extends ImportedSnapshot {
  readonly snapshot_id: string;
  readonly profile_revision: number | null;
  readonly created_at: Date;
}

type ImportCounts = Readonly<Record<"stages" | "roles" | "snapshots", number>>;

export interface DecidedImport {
  readonly profile: { readonly row: ProfileRow; readonly change: "CREATED" | "IMPORTED" };
  readonly stages: readonly StageRow[];
  readonly roles: readonly RoleRow[];
  /** The snapshot that freezes the previous profile, if there was one, and then the import's. */
  readonly snapshots: readonly NewSnapshot[];
  /** Identifier of the snapshot that freezes the previous profile; null if there is none. */
  readonly frozenId: string | null;
  readonly created: ImportCounts;
  readonly skipped: ImportCounts;
}

/**
 * Decides an import: it replaces the profile, and skips existing rows.
 *
 * @throws ServiceError `IDENTITY_STATE_CONFLICT` if there is a profile that must not be replaced.
 */
export function decideImport(
  profile: ProfileRow | null,
  imported: ImportedIdentity,
  present: PresentIdentity,
  now: Date,
): DecidedImport {
  if (profile !== null && imported.conflictMode === "REJECT") {
    throw new ServiceError("IDENTITY_STATE_CONFLICT");
  }
  const stages = without(imported.stages, present.stages);
  const roles = without(imported.roles, present.roles);
  const snapshots = without(imported.snapshots, present.snapshots);
  const created = { stages: stages.length, roles: roles.length, snapshots: snapshots.length };
  const next = nextProfile(profile, imported.profile, roles, present, now);
  const written = newSnapshots(profile, snapshots, present.lastSnapshot, now);
  return {
    ...next,
    stages: withIdsAfter(stages, null, now).map(([stage_id, stage]) => ({
      stage_id,
      ...firstRevision(now),
      archived_at: null,
      ...stage,
    })),
    snapshots: written,
    frozenId: profile === null ? null : written[0]?.snapshot_id ?? null,
    created,
    skipped: {
      stages: imported.stages.length - created.stages,
      roles: imported.roles.length - created.roles,
      snapshots: imported.snapshots.length - created.snapshots,
    },
  };
}

function without<Item>(items: readonly Item[], places: ReadonlySet<number>): readonly Item[] {
  return items.filter((_, place) => !places.has(place));
}

/** Returns the profile, with the newest of old and new roles, and the new roles. */
function nextProfile(
  profile: ProfileRow | null,
  columns: ProfileColumns,
  entered: readonly RoleColumns[],
  { newestRole, lastRole }: PresentIdentity,
  now: Date,
): Pick<DecidedImport, "profile" | "roles"> {
  const added = withIdsAfter(entered, lastRole, now).map(([role_id, role]) => ({
    role_id,
    ...role,
  }));
  const newest = added.reduce<NewestRole | null>(
    (best, role) => best === null || role.changed_at >= best.changed_at ? role : best,
    newestRole,
  );
  const role_id = newest?.role_id ?? null;
  const wanted = { ...columns, role: newest?.role ?? columns.role, role_id };
  const next = profile === null
    ? {
      row: { profile_id: newId(now), ...firstRevision(now), ...wanted },
      change: "CREATED",
    } as const
    : appendRevision(profile, "IMPORTED", now, wanted);
  const roles = added.map((role) => ({
    ...role,
    profile_revision: role.role_id === role_id ? next.row.revision : null,
    created_at: now,
  }));
  return { profile: next, roles };
}

/** Freezes the previous profile; its values are in the revision that it names. */
const FROZEN: ImportedSnapshot = {
  label: "Before the import",
  as_of: null,
  clocks: null,
  ...NO_FIELDS,
};

function newSnapshots(
  profile: ProfileRow | null,
  snapshots: readonly ImportedSnapshot[],
  last: string | null,
  now: Date,
): NewSnapshot[] {
  const frozen = profile === null ? [] : [{ ...FROZEN, profile_revision: profile.revision }];
  const own = snapshots.map((snapshot) => ({ ...snapshot, profile_revision: null }));
  return withIdsAfter([...frozen, ...own], last, now).map(([snapshot_id, snapshot]) => ({
    snapshot_id,
    ...snapshot,
    created_at: now,
  }));
}

export interface ImportResult {
  readonly executionId: string;
  readonly conflictMode: ImportedIdentity["conflictMode"];
  readonly revision: number;
  /** Identifier of the snapshot that freezes the previous profile. */
  readonly snapshotId: string | null;
  readonly created: ImportCounts;
  readonly skipped: ImportCounts;
  readonly createdAt: string;
}

const COUNTS: JsonSchema = objectOf({ stages: COUNT, roles: COUNT, snapshots: COUNT });

export const IMPORT_SCHEMA: JsonSchema = component<ImportResult>("IdentityImport", {
  executionId: ULID,
  conflictMode: enumOf(CONFLICT_MODES),
  revision: REVISION,
  snapshotId: nullable(ULID),
  created: COUNTS,
  skipped: COUNTS,
  createdAt: TIME,
});

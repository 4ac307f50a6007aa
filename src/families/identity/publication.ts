/** The public part of a profile: some fields at one revision, under a slug. */

import { maxDate } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import {
  appendRevision,
  firstRevision,
  nextRevision,
  type NextRow,
  type RootRow,
} from "../../kit/root.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  objectOf,
  REVISION,
  TIME,
} from "../../validate/json_schema.ts";
import { type InferObject, type Schema, stringMatching } from "../../validate/schema.ts";
import { fieldNamesOf, joinNames, someOf, splitNames } from "./field_names.ts";
import {
  FIELD_MEMBERS,
  type FieldColumns,
  type FieldName,
  type IdentityFields,
  showFields,
} from "./fields.ts";
import type { ProfileRow } from "./profile.ts";

/** In the order of the catalog. Biography and dates can never be published. */
const PUBLIC_FIELDS = [
  "displayName",
  "currentRole",
  "lifeStage",
  "publicSummary",
  "tags",
] as const satisfies readonly FieldName[];

export type PublicField = (typeof PUBLIC_FIELDS)[number];

/** Slugs cannot be the paths of commands. */
const SLUG = /^(?!(?:publish|refresh|revoke)$)[a-z0-9-]{3,64}$/;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

const SLUG_SCHEMA: JsonSchema = { type: "string", pattern: SLUG.source };

const slug: Schema<string> = stringMatching("field.slug", isSlug, SLUG_SCHEMA);

export const PUBLISH_BODY = { slug, fields: someOf(PUBLIC_FIELDS) };

type PublishBody = InferObject<typeof PUBLISH_BODY>;

export type PublicationChange = "PUBLISHED" | "REFRESHED" | "REVOKED";

export type NextPublication = NextRow<PublicationRow, PublicationChange>;

interface StoredPublication extends RootRow {
  readonly publication_id: string;
  readonly slug: string;
  /** Separated by spaces. */
  readonly fields: string;
  readonly state: "PUBLISHED" | "REVOKED";
  readonly profile_revision: number;
  readonly published_at: Date;
  readonly revoked_at: Date | null;
}

/** The fields at that revision; null if not published. */
type PublicColumns = Omit<FieldColumns, "started_at" | "ended_at" | "biography">;

export interface PublicationRow extends StoredPublication, PublicColumns {}

export type ViewRow = Pick<PublicationRow, "slug" | "fields" | "updated_at" | keyof PublicColumns>;

type PublicView =
  & { readonly slug: string; readonly updatedAt: string }
  & Partial<Pick<IdentityFields, PublicField>>;

export interface Publication {
  readonly slug: string;
  readonly fields: readonly PublicField[];
  readonly state: "PUBLISHED" | "REVOKED";
  /** The published fields; null while the publication is revoked. */
  readonly view: PublicView | null;
  readonly profileRevision: number;
  readonly revision: number;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly revokedAt: string | null;
}

export const PUBLIC_VIEW_SCHEMA: JsonSchema = {
  component: "PublicView",
  ...objectOf(
    {
      slug: SLUG_SCHEMA,
      ...Object.fromEntries(PUBLIC_FIELDS.map((name) => [name, FIELD_MEMBERS[name]])),
      updatedAt: TIME,
    },
    PUBLIC_FIELDS,
  ),
};

export const PUBLICATION_SCHEMA: JsonSchema = component<Publication>("Publication", {
  slug: SLUG_SCHEMA,
  fields: fieldNamesOf(PUBLIC_FIELDS),
  state: enumOf(["PUBLISHED", "REVOKED"]),
  view: nullable(PUBLIC_VIEW_SCHEMA),
  profileRevision: REVISION,
  revision: REVISION,
  publishedAt: TIME,
  updatedAt: TIME,
  revokedAt: nullable(TIME),
});

export function showView(row: ViewRow): PublicView {
  const values = showFields({ ...row, ...NEVER_PUBLIC });
  return {
    slug: row.slug,
    ...Object.fromEntries(publishedOf(row).map((name) => [name, values[name]])),
    updatedAt: row.updated_at.toISOString(),
  };
}

const NEVER_PUBLIC = { started_at: null, ended_at: null, biography: null } as const;

export function showPublication(row: PublicationRow): Publication {
  return {
    slug: row.slug,
    fields: publishedOf(row),
    state: row.state,
    view: row.state === "PUBLISHED" ? showView(row) : null,
    profileRevision: row.profile_revision,
    revision: row.revision,
    publishedAt: row.published_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

function publishedOf({ fields }: Pick<StoredPublication, "fields">): PublicField[] {
  return splitNames(fields);
}

/**
 * Publishes the current values of some fields under a slug, and replaces an existing publication.
 */
export function decidePublish(
  present: PublicationRow | undefined,
  profile: ProfileRow,
  { slug, fields }: PublishBody,
  now: Date,
): NextPublication {
  const published_at = present === undefined ? now : maxDate(now, present.updated_at);
  const wanted = {
    slug,
    fields: joinNames(fields),
    state: "PUBLISHED",
    profile_revision: profile.revision,
    published_at,
    revoked_at: null,
  } as const;
  const columns = publicColumns(profile, fields);
  if (present === undefined) {
    const row = { publication_id: newId(now), ...firstRevision(now), ...wanted, ...columns };
    return { row, change: "CREATED" };
  }
  return appendRevision(present, "PUBLISHED", now, { ...wanted, ...columns });
}

/**
 * Publishes the current values of the fields published before.
 *
 * @throws ServiceError `IDENTITY_STATE_CONFLICT` if nothing is published.
 */
export function decideRefresh(
  present: PublicationRow | undefined,
  profile: ProfileRow,
  now: Date,
): NextPublication {
  const published = assertPublished(present);
  const next = nextRevision(published, "REFRESHED", now, { profile_revision: profile.revision });
  return { ...next, row: { ...next.row, ...publicColumns(profile, publishedOf(published)) } };
}

/**
 * Ends a publication. Its slug stays reserved for the owner.
 *
 * @throws ServiceError `IDENTITY_STATE_CONFLICT` if nothing is published.
 */
export function decideRevoke(
  present: PublicationRow | undefined,
  _profile: ProfileRow,
  now: Date,
): NextPublication {
  const published = assertPublished(present);
  const revoked_at = maxDate(now, published.updated_at);
  return appendRevision(published, "REVOKED", now, { state: "REVOKED", revoked_at });
}

function assertPublished(present: PublicationRow | undefined): PublicationRow {
  if (present?.state === "PUBLISHED") return present;
  throw new ServiceError("IDENTITY_STATE_CONFLICT");
}

function publicColumns(profile: ProfileRow, fields: readonly PublicField[]): PublicColumns {
  const shown = (name: PublicField) => fields.includes(name);
  return {
    display_name: shown("displayName") ? profile.display_name : null,
    role: shown("currentRole") ? profile.role : null,
    life_stage: shown("lifeStage") ? profile.life_stage : null,
    public_summary: shown("publicSummary") ? profile.public_summary : null,
    tags: shown("tags") ? profile.tags : null,
  };
}

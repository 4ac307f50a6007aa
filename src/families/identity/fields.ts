import { IDENTITY } from "../../catalog/modules/identity.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { textField } from "../../catalog/field_schema.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { orNull, type RowOf } from "../../kit/columns.ts";
import { json, longText, shortText, time } from "../../kit/kinds.ts";
import { type JsonSchema, listOf, nullable, TEXT, TIME } from "../../validate/json_schema.ts";

/** Null without a value. */
export const FIELD_COLUMNS = {
  display_name: orNull(longText),
  /** The API's name is `currentRole`. */
  role: orNull(shortText()),
  life_stage: orNull(shortText()),
  started_at: orNull(time),
  ended_at: orNull(time),
  biography: orNull(longText),
  public_summary: orNull(longText),
  /** An empty list is a value. */
  tags: orNull(json(listOf(TEXT), "texts")),
};
export type FieldColumns = RowOf<typeof FIELD_COLUMNS>;

export const NO_FIELDS: FieldColumns = {
  display_name: null,
  role: null,
  life_stage: null,
  started_at: null,
  ended_at: null,
  biography: null,
  public_summary: null,
  tags: null,
};

export interface IdentityFields {
  readonly displayName: string | null;
  readonly currentRole: string | null;
  readonly lifeStage: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly biography: string | null;
  readonly publicSummary: string | null;
  readonly tags: string[] | null;
}

export type FieldName = keyof IdentityFields;

export const FIELD_NAMES: readonly FieldName[] = [
  "displayName",
  "currentRole",
  "lifeStage",
  "startedAt",
  "endedAt",
  "biography",
  "publicSummary",
  "tags",
];

export const FIELD_MEMBERS = {
  displayName: nullable(TEXT),
  currentRole: nullable(TEXT),
  lifeStage: nullable(textField(IDENTITY, "lifeStage").json),
  startedAt: nullable(TIME),
  endedAt: nullable(TIME),
  biography: nullable(TEXT),
  publicSummary: nullable(TEXT),
  tags: nullable(listOf(TEXT)),
} as const satisfies { readonly [Name in FieldName]: JsonSchema };

/** Fields must have passed the module's policy. */
export function fieldColumns(fields: PayloadView): FieldColumns {
  const tags = fields.list("tags");
  return {
    display_name: fields.text("displayName") ?? null,
    role: fields.text("currentRole") ?? null,
    life_stage: fields.text("lifeStage") ?? null,
    started_at: fields.date("startedAt") ?? null,
    ended_at: fields.date("endedAt") ?? null,
    biography: fields.text("biography") ?? null,
    public_summary: fields.text("publicSummary") ?? null,
    tags: tags === undefined ? null : JSON.stringify(tags),
  };
}

export function showFields(columns: FieldColumns): IdentityFields {
  return {
    displayName: columns.display_name,
    currentRole: columns.role,
    lifeStage: columns.life_stage,
    startedAt: columns.started_at?.toISOString() ?? null,
    endedAt: columns.ended_at?.toISOString() ?? null,
    biography: columns.biography,
    publicSummary: columns.public_summary,
    tags: columns.tags === null ? null : JSON.parse(columns.tags),
  };
}

/** Selects a timestamp in the API's form, for JSON that the database builds. */
export function timeText(sql: Sql, column: Query<object>): Query<object> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

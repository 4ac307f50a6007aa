/** A detail of a person, and its controls. */

import type { Caller } from "../../access/identity.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import {
  ANY_OBJECT,
  component,
  type JsonSchema,
  nullable,
  SHA256,
} from "../../validate/json_schema.ts";
import type { RawJson } from "../../validate/json_output.ts";
import {
  boolean,
  type InferObject,
  jsonObject,
  oneOf,
  optional,
  string,
} from "../../validate/schema.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import {
  CONTROL,
  CONTROLLED,
  type ControlledRow,
  withoutControls,
} from "../../kit/controlled_ledger.ts";
import { choice, flag, id, json, revision, shortText, stamp } from "../../kit/kinds.ts";
import { PRIVACY_LEVELS } from "../../kit/stored_ledger.ts";
import {
  DETAIL_KINDS,
  MAX_LABEL,
  MAX_LIVE_DETAILS,
  tooManyDetails,
  VALUE_JSON,
} from "./detail_value.ts";
import type { PersonRow } from "./person.ts";
import { hides } from "./privacy.ts";

export const DETAIL = {
  detail_id: id,
  person_id: id,
  kind: choice(DETAIL_KINDS),
  /** In canonical form. */
  value: json(ANY_OBJECT, "object"),
  label: orNull(shortText()),
  preferred: flag,
  note: orNull(shortText()),
  privacy: choice(PRIVACY_LEVELS),
  /** SHA-256 of the value in hex. */
  content_hash: shortText(SHA256),
  person_revision: revision,
  recorded_at: stamp,
};

export const DETAIL_CONTROL_COLUMNS = {
  ...CONTROL,
  detail_id: id,
  person_id: id,
  /** The revision that the control appended to the person. */
  person_revision: revision,
};

export interface DetailRow extends RowOf<typeof DETAIL>, ControlledRow {}

export interface Detail
  extends Omit<ShownOf<typeof DETAIL>, "value" | "contentHash">, ShownOf<typeof CONTROLLED> {
  readonly value: RawJson | null;
  readonly contentHash: string | null;
  /** Present if the reader may not see the text; value, label, note and hash are then null. */
  readonly redacted?: true;
}

export const DETAIL_SCHEMA: JsonSchema = component<Detail>("PersonDetail", {
  ...membersOf(DETAIL),
  ...membersOf(CONTROLLED),
  value: nullable(VALUE_JSON),
  contentHash: nullable(SHA256),
  redacted: { const: true },
}, ["redacted"]);

/** `checkValue` checks the value. */
export const DETAIL_BODY = {
  kind: oneOf(...DETAIL_KINDS),
  value: { ...jsonObject, json: VALUE_JSON },
  label: optional(string({ maximum: MAX_LABEL })),
  preferred: optional(boolean),
  note: optional(string({ maximum: 2_000, multiline: true, blank: true })),
  privacy: oneOf(...PRIVACY_LEVELS),
};
export type DetailBody = InferObject<typeof DETAIL_BODY>;

/** Creates a detail. The person is at the revision that the detail appends. */
export function newDetail(
  { person_id, revision, updated_at }: PersonRow,
  { kind, value, label, preferred = false, note, privacy }: DetailBody,
): DetailRow {
  const text = canonicalJson(value);
  return withoutControls({
    detail_id: newId(updated_at),
    person_id,
    kind,
    value: text,
    label: label ?? null,
    preferred,
    note: note ?? null,
    privacy,
    content_hash: sha256Hex(text),
    person_revision: revision,
    recorded_at: updated_at,
    privacy_today: privacy,
  });
}

const HIDDEN = { value: null, label: null, note: null, contentHash: null, redacted: true } as const;

/** Without the words if the reader may not see them today. */
export function showDetail(row: DetailRow, reader: Caller): Detail {
  return {
    ...showColumns(DETAIL, row),
    ...showColumns(CONTROLLED, row),
    ...(hides(row.privacy_today === "SECRET", reader, row.person_id) && HIDDEN),
  };
}

export function valueOf({ value }: Pick<DetailRow, "value">): JsonObject {
  return JSON.parse(value);
}

/**
 * Checks the rows that a new detail depends on.
 *
 * @param isLinkKnown False if it links to a person who is not the owner's.
 * @throws ServiceError `RECORD_NOT_FOUND`; `RELATIONSHIP_ENTRY_CONFLICT` for a link of a person to
 *   itself; `PAYLOAD_INVALID` beyond the maximum of live details.
 */
export function assertFits(
  { person_id }: Pick<PersonRow, "person_id">,
  linked: string | null,
  { isLinkKnown, liveCount }: { readonly isLinkKnown: boolean; readonly liveCount: number },
): void {
  if (!isLinkKnown) throw new ServiceError("RECORD_NOT_FOUND");
  if (linked === person_id) throw new ServiceError("RELATIONSHIP_ENTRY_CONFLICT");
  if (liveCount >= MAX_LIVE_DETAILS) throw tooManyDetails();
}

/** The person that a detail links to; null for other details. */
export function linkedPerson({ kind, value }: Pick<DetailBody, "kind" | "value">): string | null {
  return kind === "LINK" && typeof value.personId === "string" ? value.personId : null;
}

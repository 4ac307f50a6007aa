/** Evidence for or against an opinion of a person, and its controls (REL-006). */

import type { Caller } from "../../access/identity.ts";
import { allowedOnlyWhen, requiredWhen, rule } from "../../catalog/rules.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import {
  CONTROL,
  CONTROLLED,
  type ControlledRow,
  withoutControls,
} from "../../kit/controlled_ledger.ts";
import { fieldsOf, keptFields } from "../../kit/declaration.ts";
import { fieldsBody } from "../../kit/fields.ts";
import { choice, flag, id, longText, revision, shortText, stamp } from "../../kit/kinds.ts";
import { PRIVACY_LEVELS } from "../../kit/stored_ledger.ts";
import {
  component,
  type JsonSchema,
  nullable,
  SHA256,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { identifier, optional } from "../../validate/schema.ts";
import { hides } from "./privacy.ts";

const STANCES = ["SUPPORTING", "COUNTER"] as const;

const SOURCES = ["OBSERVATION", "MESSAGE", "RECORD", "THIRD_PARTY", "OTHER"] as const;

const STATED = {
  stance: choice(STANCES),
  content: longText,
  source_kind: choice(SOURCES),
  /** The source record, which need not exist. */
  source_ref: orNull(shortText(ULID)),
  privacy: choice(PRIVACY_LEVELS),
  provider_consent: flag,
};
export type EvidenceColumns = RowOf<typeof STATED>;

export const EVIDENCE = {
  evidence_id: id,
  person_id: id,
  ...STATED,
  /** SHA-256 of the content in hex. */
  content_hash: shortText(SHA256),
  recorded_at: stamp,
};

export const EVIDENCE_CONTROL_COLUMNS = {
  ...CONTROL,
  evidence_id: id,
  person_id: id,
  /** Counts the controls of all evidence about the person, from 1. */
  control_number: revision,
};

export interface EvidenceRow extends RowOf<typeof EVIDENCE>, ControlledRow {}

export interface Evidence
  extends Omit<ShownOf<typeof EVIDENCE>, "content" | "contentHash">, ShownOf<typeof CONTROLLED> {
  readonly content: string | null;
  readonly contentHash: string | null;
  /** Present if the reader may not see the text; content, source and hash are then null. */
  readonly redacted?: true;
}

export const EVIDENCE_SCHEMA: JsonSchema = component<Evidence>("PersonEvidence", {
  ...membersOf(EVIDENCE),
  ...membersOf(CONTROLLED),
  content: nullable(TEXT),
  contentHash: nullable(SHA256),
  redacted: { const: true },
}, ["redacted"]);

const FROM_RECORD = { field: "sourceKind", options: ["RECORD"] } as const;

const FIELDS = fieldsOf(STATED, [
  rule(
    "evidence.record_requires_source_ref",
    "sourceKind RECORD requires sourceRef",
    requiredWhen("sourceRef", FROM_RECORD),
  ),
  rule(
    "evidence.source_ref_only_of_record",
    "sourceRef is allowed only with sourceKind RECORD",
    allowedOnlyWhen("sourceRef", "text", FROM_RECORD),
  ),
]);

export const EVIDENCE_FIELDS = keptFields(STATED, FIELDS);

export const EVIDENCE_BODY = { ...fieldsBody(FIELDS), sourceRef: optional(identifier) };

export function newEvidence(person_id: string, columns: EvidenceColumns, now: Date): EvidenceRow {
  return withoutControls({
    evidence_id: newId(now),
    person_id,
    ...columns,
    content_hash: sha256Hex(columns.content),
    recorded_at: now,
    privacy_today: columns.privacy,
  });
}

const HIDDEN = { content: null, sourceRef: null, contentHash: null, redacted: true } as const;

/** Without the words if the reader may not see them today. */
export function showEvidence(row: EvidenceRow, reader: Caller): Evidence {
  return {
    ...showColumns(EVIDENCE, row),
    ...showColumns(CONTROLLED, row),
    ...(hides(row.privacy_today === "SECRET", reader, row.person_id) && HIDDEN),
  };
}

/** Evidence for or against an opinion of a person, and its controls (REL-006). */

import type { Caller } from "../../access/identity.ts";
import { allowedOnlyWhen, requiredWhen, rule } from "../../catalog/rules.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { fieldsOf, keptFields } from "../../kit/declaration.ts";
import { fieldsBody } from "../../kit/fields.ts";
import { choice, flag, id, longText, shortText, stamp } from "../../kit/kinds.ts";
import {
  component,
  type JsonSchema,
  nullable,
  SHA256,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { identifier, type InferObject, oneOf, optional } from "../../validate/schema.ts";
import { hides, isLower, PRIVACY_LEVELS, type PrivacyLevel } from "./privacy.ts";

const STANCES = ["SUPPORTING", "COUNTER"] as const;

const SOURCES = ["OBSERVATION", "MESSAGE", "RECORD", "THIRD_PARTY", "OTHER"] as const;

const STATES = ["LIVE", "SUPERSEDED", "RETRACTED"] as const;

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

const CONTROLLED = {
  state: choice(STATES),
  superseded_by: orNull(id),
  /** Highest level of entry and controls. */
  effective_privacy: choice(PRIVACY_LEVELS),
};

export interface EvidenceRow extends RowOf<typeof EVIDENCE>, RowOf<typeof CONTROLLED> {
  /**
   * Effective privacy today, also in a row that shows an earlier moment: it determines who may read it.
   */
  readonly privacy_today: PrivacyLevel;
}

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
  return asMade({
    evidence_id: newId(now),
    person_id,
    ...columns,
    content_hash: sha256Hex(columns.content),
    recorded_at: now,
    privacy_today: columns.privacy,
  });
}

/** Evidence before any control. */
export function asMade(
  row: Omit<EvidenceRow, "state" | "superseded_by" | "effective_privacy">,
): EvidenceRow {
  return {
    ...row,
    state: "LIVE",
    superseded_by: null,
    effective_privacy: row.privacy,
  };
}

const HIDDEN = { content: null, sourceRef: null, contentHash: null, redacted: true } as const;

/** Shows evidence, limited by its current level. */
export function showEvidence(row: EvidenceRow, reader: Caller): Evidence {
  return {
    ...showColumns(EVIDENCE, row),
    ...showColumns(CONTROLLED, row),
    ...(hides(row.privacy_today === "SECRET", reader, row.person_id) && HIDDEN),
  };
}

export const EVIDENCE_CONTROL_BODY = {
  kind: oneOf("SUPERSEDED", "RETRACTED", "PRIVACY_RECLASSIFIED"),
  supersededBy: optional(identifier),
  privacy: optional(oneOf(...PRIVACY_LEVELS)),
};
export type EvidenceControlBody = InferObject<typeof EVIDENCE_CONTROL_BODY>;

/** @throws ServiceError `PAYLOAD_INVALID` unless each member matches its kind. */
export function checkControl({ kind, supersededBy, privacy }: EvidenceControlBody): void {
  const misplaced = [
    ...((kind === "SUPERSEDED") === (supersededBy !== undefined) ? [] : ["supersededBy"]),
    ...((kind === "PRIVACY_RECLASSIFIED") === (privacy !== undefined) ? [] : ["privacy"]),
  ];
  if (misplaced.length > 0) throw payloadInvalid(["control.parts"], ["kind", ...misplaced]);
}

/**
 * Applies a control; returns the same row if it changes nothing.
 *
 * @param superseding The owner's evidence that `supersededBy` names; empty if there is none.
 * @throws ServiceError `RELATIONSHIP_ENTRY_CONFLICT` or `PRIVACY_DOWNGRADE_FORBIDDEN`.
 */
export function decideControl(
  before: EvidenceRow,
  { kind, privacy = before.effective_privacy }: EvidenceControlBody,
  superseding: EvidenceRow | null,
): EvidenceRow {
  if (kind === "PRIVACY_RECLASSIFIED") {
    if (isLower(privacy, before.effective_privacy)) {
      throw new ServiceError("PRIVACY_DOWNGRADE_FORBIDDEN");
    }
    return privacy === before.effective_privacy
      ? before
      : { ...before, effective_privacy: privacy, privacy_today: privacy };
  }
  const isFit = superseding === null ||
    (superseding.person_id === before.person_id && superseding.state === "LIVE" &&
      superseding.evidence_id !== before.evidence_id);
  if (before.state !== "LIVE" || !isFit) throw new ServiceError("RELATIONSHIP_ENTRY_CONFLICT");
  return { ...before, state: kind, superseded_by: superseding?.evidence_id ?? null };
}

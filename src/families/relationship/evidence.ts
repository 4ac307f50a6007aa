/** Evidence for or against what is thought of a person: as stored, as shown, and its controls (REL-006). */

import type { Caller } from "../../access/identity.ts";
import { boolean, select, text, textarea } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { allowedOnlyWhen, requiredWhen, rule } from "../../catalog/rules.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { fieldsBody, present } from "../kit/fields.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { identifier, type InferObject, oneOf, optional } from "../../validate/schema.ts";
import { hides, isLower, PRIVACY_LEVELS, type PrivacyLevel } from "./privacy.ts";

const STANCES = ["SUPPORTING", "COUNTER"] as const;

const SOURCES = ["OBSERVATION", "MESSAGE", "RECORD", "THIRD_PARTY", "OTHER"] as const;

const STATES = ["LIVE", "SUPERSEDED", "RETRACTED"] as const;

/** What a client states of evidence, as columns. */
export interface EvidenceColumns {
  readonly stance: (typeof STANCES)[number];
  readonly content: string;
  readonly source_kind: (typeof SOURCES)[number];
  /** The record that it comes from, which need not exist. */
  readonly source_ref: string | null;
  readonly privacy: PrivacyLevel;
  readonly provider_consent: boolean;
}

/** Evidence as read from the database, with what its controls have made of it. */
export interface EvidenceRow extends EvidenceColumns {
  readonly evidence_id: string;
  readonly person_id: string;
  /** SHA-256 of the content in hexadecimal digits. */
  readonly content_hash: string;
  readonly recorded_at: Date;
  readonly state: (typeof STATES)[number];
  readonly superseded_by: string | null;
  /** The highest level over the entry and its controls. */
  readonly effective_privacy: PrivacyLevel;
  /** The same today, where the row tells of an earlier moment: it says who may read it. */
  readonly privacy_today: PrivacyLevel;
}

/** Evidence as a client sees it. */
export interface Evidence {
  readonly evidenceId: string;
  readonly personId: string;
  readonly stance: EvidenceRow["stance"];
  readonly content: string | null;
  readonly sourceKind: EvidenceRow["source_kind"];
  readonly sourceRef: string | null;
  readonly privacy: PrivacyLevel;
  readonly effectivePrivacy: PrivacyLevel;
  readonly providerConsent: boolean;
  readonly state: EvidenceRow["state"];
  readonly supersededBy: string | null;
  readonly contentHash: string | null;
  readonly recordedAt: string;
  /** Where the reader may not see the words: content, source and hash are null then. */
  readonly redacted?: true;
}

export const EVIDENCE_SCHEMA: JsonSchema = component<Evidence>("PersonEvidence", {
  evidenceId: ULID,
  personId: ULID,
  stance: enumOf(STANCES),
  content: nullable(TEXT),
  sourceKind: enumOf(SOURCES),
  sourceRef: nullable(ULID),
  privacy: enumOf(PRIVACY_LEVELS),
  effectivePrivacy: enumOf(PRIVACY_LEVELS),
  providerConsent: { type: "boolean" },
  state: enumOf(STATES),
  supersededBy: nullable(ULID),
  contentHash: nullable(SHA256),
  recordedAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

const FROM_RECORD = { field: "sourceKind", options: ["RECORD"] } as const;

const FIELDS: FieldSet = {
  fields: [
    select("stance", STANCES, { required: true }),
    textarea("content", { required: true }),
    select("sourceKind", SOURCES, { required: true }),
    text("sourceRef"),
    select("privacy", PRIVACY_LEVELS, { required: true }),
    boolean("providerConsent", { required: true }),
  ],
  rules: [
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
  ],
};

/** What a client states of evidence, and how it is kept. */
export const EVIDENCE_FIELDS = {
  fields: FIELDS,
  columns: (fields: PayloadView): EvidenceColumns => ({
    stance: present(fields.text("stance")) as EvidenceRow["stance"],
    content: present(fields.text("content")),
    source_kind: present(fields.text("sourceKind")) as EvidenceRow["source_kind"],
    source_ref: fields.text("sourceRef") ?? null,
    privacy: present(fields.text("privacy")) as PrivacyLevel,
    provider_consent: present(fields.flag("providerConsent")),
  }),
} as const;

/** The body of new evidence. */
export const EVIDENCE_BODY = { ...fieldsBody(FIELDS), sourceRef: optional(identifier) };

/** New evidence about a person. */
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

/** Evidence as it was before any control. */
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

/** Evidence as far as its level of today lets the reader see it. */
export function showEvidence(row: EvidenceRow, reader: Caller): Evidence {
  return {
    evidenceId: row.evidence_id,
    personId: row.person_id,
    stance: row.stance,
    content: row.content,
    sourceKind: row.source_kind,
    sourceRef: row.source_ref,
    privacy: row.privacy,
    effectivePrivacy: row.effective_privacy,
    providerConsent: row.provider_consent,
    state: row.state,
    supersededBy: row.superseded_by,
    contentHash: row.content_hash,
    recordedAt: row.recorded_at.toISOString(),
    ...(hides(row.privacy_today === "SECRET", reader, row.person_id) && HIDDEN),
  };
}

/** The body of a control. */
export const EVIDENCE_CONTROL_BODY = {
  kind: oneOf("SUPERSEDED", "RETRACTED", "PRIVACY_RECLASSIFIED"),
  supersededBy: optional(identifier),
  privacy: optional(oneOf(...PRIVACY_LEVELS)),
};
export type EvidenceControlBody = InferObject<typeof EVIDENCE_CONTROL_BODY>;

/** @throws ServiceError `PAYLOAD_INVALID` unless each part stands exactly with its kind. */
export function checkControl({ kind, supersededBy, privacy }: EvidenceControlBody): void {
  const misplaced = [
    ...((kind === "SUPERSEDED") === (supersededBy !== undefined) ? [] : ["supersededBy"]),
    ...((kind === "PRIVACY_RECLASSIFIED") === (privacy !== undefined) ? [] : ["privacy"]),
  ];
  if (misplaced.length > 0) throw payloadInvalid(["control.parts"], ["kind", ...misplaced]);
}

/**
 * What a control makes of evidence; the same row where it changes nothing.
 *
 * @param superseding What `supersededBy` names among all of the owner's evidence.
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

/**
 * The sources of an evaluation, and how much of them may leave the service. Pure: the sources, their
 * digest, and the provider's input.
 */

import { sha256Hex } from "../../core/digest.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import type { EvidenceRow } from "./evidence.ts";
import type { PersonRow } from "./person.ts";

/** Live evidence about a person, as evaluations read it. */
export interface SourceEntry extends
  Pick<
    EvidenceRow,
    | "evidence_id"
    | "stance"
    | "source_kind"
    | "content_hash"
    | "privacy"
    | "effective_privacy"
    | "provider_consent"
  > {
  /** Null if it was not requested. */
  readonly content: string | null;
}

/** A person and all live evidence about it, in the order of the identifiers. */
export interface Sources {
  readonly person: PersonRow;
  readonly entries: readonly SourceEntry[];
}

/**
 * Whether the owner consents to the words of an entry going to a provider outside. Reclassifying an
 * entry to SECRET withdraws the consent that it was written with.
 */
export function isConsented(
  { privacy, effective_privacy, provider_consent }: SourceEntry,
): boolean {
  return provider_consent && (effective_privacy !== "SECRET" || privacy === "SECRET");
}

/** The entries of an evaluation: SECRET ones only with consent. */
export function takenEntries({ entries }: Sources): SourceEntry[] {
  return entries.filter((entry) => entry.effective_privacy !== "SECRET" || isConsented(entry));
}

/**
 * SHA-256, in hexadecimal digits, of the canonical JSON of all sources of an evaluation. It changes with
 * each revision of the person, and with the included entries or their privacy.
 */
export function sourceDigest(sources: Sources): string {
  const { person } = sources;
  return sha256Hex(canonicalJson({
    personId: person.person_id,
    revision: person.revision,
    personName: person.person_name,
    relationshipType: person.relationship_type,
    importance: person.importance,
    lastContactAt: person.last_contact_at?.toISOString() ?? null,
    desiredContactIntervalDays: person.desired_contact_interval_days,
    opinion: person.opinion,
    evidence: person.evidence,
    counterEvidence: person.counter_evidence,
    entries: takenEntries(sources).map((entry) => ({
      evidenceId: entry.evidence_id,
      contentHash: entry.content_hash,
      effectivePrivacy: entry.effective_privacy,
    })),
  }));
}

/** A provider's input about a person: no identifier, and no text without consent. */
export interface ProviderInput {
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  /** The number of included entries by stance. */
  readonly evidenceCounts: { readonly supporting: number; readonly counter: number };
  /** Only if the proposal consents. */
  readonly consented?: {
    readonly personName: string;
    readonly opinion: string | null;
    readonly evidence: string | null;
    readonly counterEvidence: string | null;
    /** The entries with their own consent. */
    readonly entries: readonly {
      readonly stance: SourceEntry["stance"];
      readonly sourceKind: SourceEntry["source_kind"];
      readonly content: string;
    }[];
  };
}

/**
 * The input for a provider.
 *
 * @param consent The proposal's consent, without which no text leaves the service.
 */
export function providerInput(sources: Sources, consent: boolean): ProviderInput {
  const { person } = sources;
  const taken = takenEntries(sources);
  const countOf = (stance: SourceEntry["stance"]) =>
    taken.filter((entry) => entry.stance === stance).length;
  return {
    relationshipType: person.relationship_type,
    importance: person.importance,
    lastContactAt: person.last_contact_at?.toISOString() ?? null,
    desiredContactIntervalDays: person.desired_contact_interval_days,
    evidenceCounts: { supporting: countOf("SUPPORTING"), counter: countOf("COUNTER") },
    ...(consent && {
      consented: {
        personName: person.person_name,
        opinion: person.opinion,
        evidence: person.evidence,
        counterEvidence: person.counter_evidence,
        entries: taken.filter(isConsented).map(({ stance, source_kind, content }) => {
          if (content === null) throw new Error("The words of a consented entry were not read");
          return { stance, sourceKind: source_kind, content };
        }),
      },
    }),
  };
}

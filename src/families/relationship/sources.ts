/**
 * What an evaluation of a person is made of, and how much of it may leave the service. Pure: what is
 * taken, told apart by one digest, and what a provider is given of it.
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
  /** Null where it was not asked for. */
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

/** The entries that an evaluation takes: what is SECRET only with consent. */
export function takenEntries({ entries }: Sources): SourceEntry[] {
  return entries.filter((entry) => entry.effective_privacy !== "SECRET" || isConsented(entry));
}

/**
 * SHA-256, in hexadecimal digits, of the canonical JSON of all that an evaluation is made of. It differs
 * as soon as the person has another revision, or the entries taken are others or guarded otherwise.
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

/** What a provider is given of a person: no identifier, and no words without consent. */
export interface ProviderInput {
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  /** How many of the entries taken are of each stance. */
  readonly evidenceCounts: { readonly supporting: number; readonly counter: number };
  /** Only where the proposal consents. */
  readonly consented?: {
    readonly personName: string;
    readonly opinion: string | null;
    readonly evidence: string | null;
    readonly counterEvidence: string | null;
    /** Of the entries that consent themselves. */
    readonly entries: readonly {
      readonly stance: SourceEntry["stance"];
      readonly sourceKind: SourceEntry["source_kind"];
      readonly content: string;
    }[];
  };
}

/**
 * What a provider may be given.
 *
 * @param consent The proposal's own, without which no words leave.
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

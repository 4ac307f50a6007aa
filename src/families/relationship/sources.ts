import { sha256Hex } from "../../core/digest.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import type { EvidenceRow } from "./evidence.ts";
import type { PersonRow } from "./person.ts";

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
  /** The entry's text; null if not requested. */
  readonly content: string | null;
}

/** A person and all live evidence, by identifier. */
export interface Sources {
  readonly person: PersonRow;
  readonly entries: readonly SourceEntry[];
}

/**
 * Whether the owner consents to send the entry's words to an outside provider. Reclassifying it to
 * SECRET withdraws the consent.
 */
function isConsented(
  { privacy, effective_privacy, provider_consent }: SourceEntry,
): boolean {
  return provider_consent && (effective_privacy !== "SECRET" || privacy === "SECRET");
}

/** Returns the entries that the evaluation includes: SECRET ones only with consent. */
export function takenEntries({ entries }: Sources): SourceEntry[] {
  return entries.filter((entry) => entry.effective_privacy !== "SECRET" || isConsented(entry));
}

/**
 * SHA-256, in hex, of the canonical JSON of all sources. It changes with each revision of the
 * person, and with the included entries or their privacy.
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

/** Contains no identifier, and no text without consent. */
export interface ProviderInput {
  readonly relationshipType: string;
  /** 1 to 5. */
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  /** Included entries by stance. */
  readonly evidenceCounts: { readonly supporting: number; readonly counter: number };
  /** Texts, only if the proposal has consent. */
  readonly consented?: {
    readonly personName: string;
    readonly opinion: string | null;
    readonly evidence: string | null;
    readonly counterEvidence: string | null;
    /** The entries that have consent of their own. */
    readonly entries: readonly {
      readonly stance: SourceEntry["stance"];
      readonly sourceKind: SourceEntry["source_kind"];
      readonly content: string;
    }[];
  };
}

/** @param consent The proposal's consent, without which no text leaves the service. */
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

/** The result of verifying the audit trail, as lines for a person. */

import type { BrokenSeal, Fault, Verification } from "../../audit/verify.ts";
import { OperatorError } from "../../errors/operator_error.ts";

const FAULTS: Readonly<Record<Fault, string>> = {
  missing: "is missing",
  previous: "does not follow the seal before it",
  digest: "was changed: its digest is not that of what it says",
  entries: "does not hold: its entries were changed, removed or added to",
  absent: "is missing, and there are entries that it should cover",
  backdated: "covers an entry that is dated more than an hour before the seal before it was made",
};

/** The digests of `--anchor`, separated by commas. */
export function anchorsOf(anchor: string | undefined): string[] {
  return anchor?.split(",") ?? [];
}

/** Whether a text is digests with commas between. */
export function isAnchors(text: string): boolean {
  return /^[0-9a-f]{64}(,[0-9a-f]{64})*$/.test(text);
}

/**
 * The lines of a trail that holds.
 *
 * @throws OperatorError with those of one that does not.
 */
export function describeVerification(verification: Verification): string[] {
  const { seals, entries, waiting, broken, missingAnchors } = verification;
  if (broken.length + missingAnchors.length > 0) {
    const anchors = missingAnchors.map((digest) =>
      `No seal that holds has the digest ${digest}: the end of its trail was cut off or replaced`
    );
    throw new OperatorError([...broken.map(tellBroken), ...anchors].join("\n"));
  }
  return [`${seals} seals hold over ${entries} entries; ${waiting} entries wait for their seal`];
}

function tellBroken({ accountId, kind, number, fault }: BrokenSeal): string {
  return `Seal ${number} of ${accountId}/${kind} ${FAULTS[fault]}`;
}

/** Describes the result of verifying the audit trail. */

import type { BrokenSeal, Fault, Verification } from "../../audit/verify.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { SHA256_HEX } from "../../validate/text.ts";

const FAULTS: Readonly<Record<Fault, string>> = {
  missing: "is missing",
  previous: "does not follow the previous seal",
  digest: "was changed: its digest does not match its content",
  entries: "does not hold: its entries were changed, removed or added to",
  absent: "is missing, and there are entries that it should cover",
  backdated: "covers an entry dated more than an hour before the previous seal was made",
};

/** The comma-separated digests of `--anchor`. */
export function anchorsOf(anchor: string | undefined): string[] {
  return anchor?.split(",") ?? [];
}

export function isAnchors(text: string): boolean {
  return text.split(",").every((digest) => SHA256_HEX.test(digest));
}

/** @throws OperatorError with the lines of a broken trail. */
export function describeVerification(verification: Verification): string[] {
  const { seals, entries, waiting, broken, missingAnchors } = verification;
  if (broken.length + missingAnchors.length > 0) {
    const anchors = missingAnchors.map((digest) =>
      `No valid seal has the digest ${digest}: the end of its trail was cut off or replaced`
    );
    throw new OperatorError([...broken.map(describeBroken), ...anchors].join("\n"));
  }
  return [`${seals} valid seals over ${entries} entries; ${waiting} entries are not sealed yet`];
}

function describeBroken({ accountId, kind, number, fault }: BrokenSeal): string {
  return `Seal ${number} of ${accountId}/${kind} ${FAULTS[fault]}`;
}

/** How private the entries of a person's ledgers are, and who may read them. */

import { type Caller, hidesSecret } from "../../access/identity.ts";

/** From the least to the most private. */
export const PRIVACY_LEVELS = ["NORMAL", "PRIVATE", "SECRET"] as const;

export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

/** Whether the reader may see the words of SECRET entries, and control them. */
export function mayReadSecrets({ permissions }: Caller): boolean {
  return permissions.has("relationship.ledger.secret");
}

/** Whether the words of an entry of this level are hidden from the reader. */
export function isHidden(level: PrivacyLevel, reader: Caller): boolean {
  return level === "SECRET" && !mayReadSecrets(reader);
}

/**
 * Whether the words of an entry about a person are hidden from the reader. If they are shown, the read is
 * noted.
 */
export function hides(isSecret: boolean, reader: Caller, personId: string): boolean {
  return isSecret && hidesSecret(reader, "relationship.ledger.secret", personId);
}

/** True if a level is less private than another one. */
export function isLower(level: PrivacyLevel, other: PrivacyLevel): boolean {
  return PRIVACY_LEVELS.indexOf(level) < PRIVACY_LEVELS.indexOf(other);
}

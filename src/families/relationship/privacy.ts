/** Privacy of the entries below a person. */

import { type Caller, hidesSecret } from "../../access/identity.ts";
import type { PrivacyLevel } from "../../kit/stored_ledger.ts";

/** Whether the reader may see and control SECRET entries. */
export function mayReadSecrets({ permissions }: Caller): boolean {
  return permissions.has("relationship.ledger.secret");
}

/** Whether the level hides an entry's words from the reader. */
export function isHidden(level: PrivacyLevel, reader: Caller): boolean {
  return level === "SECRET" && !mayReadSecrets(reader);
}

/** As `isHidden`, but records that SECRET words are shown. */
export function hides(isSecret: boolean, reader: Caller, personId: string): boolean {
  return isSecret && hidesSecret(reader, "relationship.ledger.secret", personId);
}

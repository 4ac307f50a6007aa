/** Privacy of the entries below a person. */

import { type Caller, hidesSecret } from "../../access/identity.ts";
import type { PrivacyLevel } from "../../kit/stored_ledger.ts";
import { parseClocks, serialiseClocks } from "../../validate/local_time.ts";

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

/**
 * The clocks of a row that shows the only time of an entry as `name`. A SECRET entry gives none,
 * because a zone names a place.
 */
export function shownClocks(
  name: string,
  { privacy, clocks }: { readonly privacy: PrivacyLevel; readonly clocks: string | null },
): string | null {
  const [clock] = Object.values(parseClocks(clocks));
  return privacy === "SECRET" || clock === undefined ? null : serialiseClocks({ [name]: clock });
}

/** The UIDs of cards, which identify people across address books. */

/** UIDs with fewer code points are only compared within their own source. */
const MIN_SHARED_LENGTH = 6;

const BLANKS = " \t\n\r";

/** Maximum distinct UIDs of a person. */
export const MAX_UIDS = 20;

/** Maximum bytes of a stored UID, so that its index entry fits into a page. */
export const MAX_UID_BYTES = 2_000;

/** The form in which UIDs are compared: SQL computes the same in `compared_uid`. */
export function comparedUid(uid: string): string {
  return trimBlanks(uid).toLowerCase().replace(/^urn:uuid:/, "");
}

/** True if a UID also counts outside of its own source. */
export function isSharedUid(compared: string): boolean {
  return [...compared.slice(0, 2 * MIN_SHARED_LENGTH)].length >= MIN_SHARED_LENGTH;
}

/** The identifier that the UID of an exported person names, in compared form; null for others. */
export function personOfUid(uid: string): string | null {
  const [, id] = /^urn:prs:([0-9a-hjkmnp-tv-z]{26})$/.exec(comparedUid(uid)) ?? [];
  return id?.toUpperCase() ?? null;
}

/** A text without the blanks and line ends around it, in linear time. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANKS.includes(text.charAt(start))) start++;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

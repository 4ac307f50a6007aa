/** Only the form is checked: the service never fetches a reference. */

const WEB_ADDRESS = /^https?:\/\/([^/?#]+)/i;

/** RFC 8141. */
const URN = /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:.+$/i;

/** A registrant prefix that begins with `10.`, a slash, and a suffix. */
const DOI = /^doi:10\.\d{4,9}(?:\.\d+)*\/.+$/i;

/** Ten or thirteen digits, with or without hyphens. */
const ISBN = /^isbn:(?:(?:\d-?){9}[\dX]|(?:\d-?){12}\d)$/i;

/** The WHATWG parser drops white space and reads a backslash as a slash, so neither may occur. */
const UNSAFE_CHARACTER = /[\s\\\p{Cc}]/u;

/** Absolute `http:` or `https:` without user information, or `urn:`, `doi:` or `isbn:`. */
export function isPublicReference(text: string): boolean {
  if (UNSAFE_CHARACTER.test(text)) return false;
  return isWebAddress(text) || URN.test(text) || DOI.test(text) || ISBN.test(text);
}

function isWebAddress(text: string): boolean {
  const authority = WEB_ADDRESS.exec(text)?.[1];
  // Searched for "@" because the parser hides empty user information.
  return authority !== undefined && !authority.includes("@") && URL.canParse(text);
}

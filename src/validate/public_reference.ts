/**
 * References to public sources. They are checked by their form alone: the service never fetches
 * one.
 */

const WEB_ADDRESS = /^https?:\/\/([^/?#]+)/i;

/** RFC 8141: a namespace identifier of 2 to 32 characters, then a namespace-specific string. */
const URN = /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:.+$/i;

/** A registrant prefix that begins with `10.`, a slash, and a suffix. */
const DOI = /^doi:10\.\d{4,9}(?:\.\d+)*\/.+$/i;

/** Ten or thirteen digits, with or without hyphens. */
const ISBN = /^isbn:(?:(?:\d-?){9}[\dX]|(?:\d-?){12}\d)$/i;

/** The WHATWG parser drops white space and reads a backslash as a slash, so neither may occur. */
const UNSAFE_CHARACTER = /[\s\\\p{Cc}]/u;

/**
 * Whether the text is an absolute `http:` or `https:` address without user information, or a
 * `urn:`, `doi:` or `isbn:` reference.
 */
export function isPublicReference(text: string): boolean {
  if (UNSAFE_CHARACTER.test(text)) return false;
  return isWebAddress(text) || URN.test(text) || DOI.test(text) || ISBN.test(text);
}

function isWebAddress(text: string): boolean {
  const authority = WEB_ADDRESS.exec(text)?.[1];
  // The authority is searched for "@" because the parser hides empty user information.
  return authority !== undefined && !authority.includes("@") && URL.canParse(text);
}

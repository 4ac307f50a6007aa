/**
 * Whether an If-None-Match header names this tag, weakly compared as RFC 9110 asks.
 *
 * @param tag A strong tag with its quotation marks and without a comma.
 */
export function namesEntityTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  const tags = header.split(",").map((sent) => sent.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag);
}

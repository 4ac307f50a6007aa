import { type DataReply, ok } from "./reply.ts";

/**
 * Compares a tag weakly with an If-None-Match header (RFC 9110).
 *
 * @param tag A strong tag with its quotation marks and without a comma.
 */
export function namesEntityTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  const tags = header.split(",").map((sent) => sent.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag);
}

interface ShownRevision {
  readonly revision: number;
  /** Whether the content is hidden from this reader. */
  readonly isRedacted: boolean;
}

/**
 * Responds 200 with data that a revision determines, and its tag, or 304 if the request's
 * If-None-Match names the tag. A redacted response has a different tag, so that its cached copy is
 * invalid once its reader may see the content.
 */
export function okUnlessKnown(
  { headers }: Request,
  data: unknown,
  { revision, isRedacted }: ShownRevision,
): DataReply {
  const tag = isRedacted ? `"${revision}-redacted"` : `"${revision}"`;
  return namesEntityTag(headers.get("If-None-Match"), tag)
    ? { status: 304, headers: { ETag: tag } }
    : ok(data, { ETag: tag });
}

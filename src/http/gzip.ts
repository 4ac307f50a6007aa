/** Compressed responses, only for data without credentials, because a length would reveal them. */

import { gzipSync } from "node:zlib";
import { serialiseJson } from "../validate/json_output.ts";
import { namesEntityTag } from "./entity_tag.ts";
import type { TextReply } from "./reply.ts";
import { JSON_HEADERS } from "./response.ts";

/**
 * Whether the response is compressed, and its entity tag: the plain and the compressed form have
 * different ones.
 *
 * @param tag The content's digest, without quotation marks.
 */
export function chooseForm(
  sent: Headers,
  tag: string,
): { readonly isCompressed: boolean; readonly etag: string } {
  const { plain, compressed } = tagsOf(tag);
  const isCompressed = takesGzip(sent);
  return { isCompressed, etag: isCompressed ? compressed : plain };
}

/** True if the request's If-None-Match names either form of a content. */
export function knowsContent(sent: Headers, tag: string): boolean {
  const known = sent.get("If-None-Match");
  return Object.values(tagsOf(tag)).some((each) => namesEntityTag(known, each));
}

function tagsOf(tag: string) {
  return { plain: `"${tag}"`, compressed: `"${tag}-gzip"` };
}

/** True if gzip, or any coding, has a weight above 0 (RFC 9110). */
function takesGzip(headers: Headers): boolean {
  const weights = new Map(
    (headers.get("Accept-Encoding") ?? "").toLowerCase().split(",").map((entry) => {
      const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
      return [coding, !isRefused];
    }),
  );
  return weights.get("gzip") ?? weights.get("*") ?? false;
}

/** The envelope of a `DataReply`, compressed. */
export function gzippedData(
  data: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): TextReply {
  const body = gzipSync(serialiseJson({ data, meta: { requestId } }));
  return {
    status: 200,
    body: new Uint8Array(body),
    headers: { ...headers, ...JSON_HEADERS, "Content-Encoding": "gzip" },
  };
}

/** Compressed responses, only for data without secrets, whose length would reveal their content. */

import { gzipSync } from "node:zlib";
import { serialiseJson } from "../validate/json_output.ts";
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
  const isCompressed = takesGzip(sent);
  return { isCompressed, etag: isCompressed ? `"${tag}-gzip"` : `"${tag}"` };
}

function takesGzip(headers: Headers): boolean {
  return (headers.get("Accept-Encoding") ?? "").split(",").some((entry) => {
    const [coding = "", ...parameters] = entry.toLowerCase().split(";").map((part) => part.trim());
    return coding === "gzip" && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
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

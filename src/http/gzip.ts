/**
 * Compressed responses, only for data without secrets: the length of a compressed secret reveals its
 * content.
 */

import { gzipSync } from "node:zlib";
import { serialiseJson } from "../validate/json_output.ts";
import type { TextReply } from "./reply.ts";
import { JSON_HEADERS } from "./response.ts";

/** Whether the request accepts gzip. */
export function takesGzip(headers: Headers): boolean {
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

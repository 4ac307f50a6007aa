/** The contracts of the attachment routes. */

import type { Contract } from "../http/contract.ts";
import { PAGE_QUERY, pageOf } from "../http/page.ts";
import { ATTACHMENT_SCHEMA } from "./attachment.ts";

const BYTES = { mediaType: "*/*" } as const;

/** One contract for each endpoint. */
export const ATTACHMENT_CONTRACTS = {
  upload: {
    summary: "Keep a file, whose bytes are the body and whose media type is its Content-Type",
    headers: ["X-Filename", "Content-Digest"],
    responses: { 201: { data: ATTACHMENT_SCHEMA } },
    errors: ["SYSTEM_MAINTENANCE"],
  },
  list: {
    summary: "List the attachments, newest first",
    query: PAGE_QUERY,
    responses: { 200: { data: pageOf(ATTACHMENT_SCHEMA) } },
    errors: [],
  },
  detail: {
    summary: "Describe an attachment",
    responses: { 200: { data: ATTACHMENT_SCHEMA } },
    errors: ["RECORD_NOT_FOUND"],
  },
  content: {
    summary: "Send an attachment's bytes, or one range of them",
    headers: ["If-None-Match", "Range", "If-Range"],
    responses: {
      200: { content: BYTES, headers: ["ETag", "Accept-Ranges", "Content-Disposition"] },
      206: {
        content: BYTES,
        headers: ["ETag", "Accept-Ranges", "Content-Disposition", "Content-Range"],
      },
      304: { headers: ["ETag"] },
    },
    errors: ["RECORD_NOT_FOUND", "HTTP_416"],
  },
} as const satisfies Record<string, Contract>;

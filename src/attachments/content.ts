import { ServiceError } from "../errors/service_error.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import type { RawReply, Reply } from "../http/reply.ts";
import type { Attachment } from "./attachment.ts";
import type { CheckedObjects } from "./loss.ts";
import { LostObjectError, type ObjectStore } from "./object_store.ts";
import { type ByteRange, readRange } from "./range.ts";
import type { StoredObject } from "./stored_object.ts";

interface ContentSource {
  readonly objects: ObjectStore;
  readonly checked: CheckedObjects;
}

/**
 * Responds with all bytes, a range, or "not modified". The bytes are untrusted: they are sent as a
 * download, and sandboxed if a browser displays them anyway.
 *
 * @throws ServiceError `HTTP_416` for a range beyond the end; `ATTACHMENT_LOST` if the file is
 *   missing or damaged. A range is not compared with the digest, which covers the whole.
 */
export async function contentReply(
  source: ContentSource,
  owner: string,
  attachment: Attachment,
  request: Request,
): Promise<Reply> {
  const { size, sha256, mediaType, filename } = attachment;
  const tag = `"${sha256}"`;
  if (namesEntityTag(request.headers.get("If-None-Match"), tag)) {
    return { status: 304, headers: { ETag: tag } };
  }
  const range = readRange(sentRange(request, tag), size);
  if (range === "unsatisfiable") {
    throw new ServiceError("HTTP_416", { headers: { "Content-Range": `bytes */${size}` } });
  }
  const { start, end } = range === "whole" ? { start: 0, end: size } : range;
  const length = end - start;
  const body = await openBytes(source, { owner, sha256, size }, range);
  const headers = {
    ETag: tag,
    "Accept-Ranges": "bytes",
    "Content-Type": mediaType,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeFilename(filename)}`,
    "Content-Security-Policy": "sandbox",
  };
  if (request.method === "HEAD") return await withoutBody({ status: 200, body, length, headers });
  if (range === "whole") return { status: 200, body, length, headers };
  const contentRange = `bytes ${start}-${end - 1}/${size}`;
  return { status: 206, body, length, headers: { ...headers, "Content-Range": contentRange } };
}

async function openBytes(
  { objects, checked }: ContentSource,
  object: StoredObject,
  range: ByteRange | "whole",
): Promise<ReadableStream<Uint8Array>> {
  try {
    if (range !== "whole") return await objects.read(object, range.start, range.end);
    const loss = await checked.lossOf(object);
    if (loss !== null) throw new LostObjectError(loss);
    return await objects.read(object);
  } catch (error) {
    if (!(error instanceof LostObjectError)) throw error;
    throw new ServiceError("ATTACHMENT_LOST", { cause: error });
  }
}

/** Ranges apply to GET only, and with If-Range only if it names this content. */
function sentRange(request: Request, tag: string): string | null {
  const condition = request.headers.get("If-Range");
  const applies = request.method === "GET" && (condition === null || condition === tag);
  return applies ? request.headers.get("Range") : null;
}

async function withoutBody(reply: RawReply): Promise<RawReply> {
  await reply.body?.cancel();
  return { ...reply, body: null };
}

/** Encodes a name as RFC 8187 requires: `encodeURIComponent` leaves five characters too many. */
function encodeFilename(filename: string): string {
  return encodeURIComponent(filename).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

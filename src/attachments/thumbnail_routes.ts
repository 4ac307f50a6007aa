import { commandOf } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Clock } from "../core/clock.ts";
import { sha256Hex } from "../core/digest.ts";
import { readBytes } from "../core/read_bytes.ts";
import { THUMBNAILS_PER_MINUTE } from "../core/shares.ts";
import type { Database } from "../database/database.ts";
import { ServiceError, tooManyRequests } from "../errors/service_error.ts";
import type { AccountPlaces } from "../http/account_places.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import { readOnlyPathId } from "../http/path.ts";
import { RateLimit } from "../http/rate_limit.ts";
import { created, ok, type Reply } from "../http/reply.ts";
import { uploadStream } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import {
  type Attachment,
  ATTACHMENT_SCHEMA,
  type AttachmentRow,
  toStoredAttachment,
} from "./attachment.ts";
import { lockAttachment } from "./attachment_store.ts";
import { tooLarge } from "./create.ts";
import { checkThumbnail, MAX_THUMBNAIL_BYTES } from "./thumbnail.ts";
import {
  findThumbnail,
  hasBytes,
  insertThumbnail,
  type StoredThumbnail,
} from "./thumbnail_store.ts";

interface ThumbnailServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly commands: CommandRunner;
}

interface Kept {
  readonly attachment: Attachment;
  readonly isNew: boolean;
}

/**
 * Stores the first thumbnail that is sent, and rejects any other.
 *
 * @param uploads The places of an account for uploads, which its attachments use too.
 */
export function putThumbnailEndpoint(
  services: ThumbnailServices,
  uploads: AccountPlaces,
): Endpoint {
  const rate = new RateLimit("thumbnails", THUMBNAILS_PER_MINUTE);
  return endpoint({
    contract: {
      summary: "Add the thumbnail of an attachment: a WebP, JPEG or PNG of at most 64 KiB",
      streamed: "image/*",
      responses: { 200: { data: ATTACHMENT_SCHEMA }, 201: { data: ATTACHMENT_SCHEMA } },
      errors: [
        "RECORD_NOT_FOUND",
        "ATTACHMENT_CONFLICT",
        "ACCOUNT_STORAGE_FULL",
        "SYSTEM_MAINTENANCE",
      ],
    },
    body: "stream",
    parse(call) {
      const attachmentId = readOnlyPathId(call, "attachmentId");
      const announced = Number(call.request.headers.get("Content-Length"));
      if (announced > MAX_THUMBNAIL_BYTES) throw tooLarge(MAX_THUMBNAIL_BYTES);
      return attachmentId;
    },
    async handle(call) {
      const { secondsToWait } = rate.consume(call.caller.account.accountId, call.now);
      if (secondsToWait !== null) throw tooManyRequests(secondsToWait);
      const { attachment, isNew } = await uploads.run(call.caller, () => put(services, call));
      return isNew ? created(attachment, call.path) : ok(attachment);
    },
  });
}

async function put(services: ThumbnailServices, call: CheckedCall<string>): Promise<Kept> {
  const bytes = await receive(services, call);
  const thumbnail = checkThumbnail(bytes, call.request.headers);
  // The bytes may have arrived slowly: the credential must still be valid.
  await call.confirm();
  const { parsed: attachmentId, operation, caller } = call;
  const owner = caller.account.accountId;
  const options = { module: null, target: attachmentId, policy: "attachment", frozen: true };
  const command = commandOf({ ...call, key: null }, options);
  const { result } = await services.commands.run<AttachmentRow, Kept, StoredThumbnail | null>(
    command,
    {
      check: () => {},
      lock: (sql) => lockAttachment(sql, owner, attachmentId),
      related: (sql) => findThumbnail(sql, owner, attachmentId),
      decide(row, present) {
        if (row === null) throw new ServiceError("RECORD_NOT_FOUND");
        const isNew = present === null;
        if (!isNew && !hasBytes(present, bytes)) {
          throw new ServiceError("ATTACHMENT_CONFLICT", { details: { operation } });
        }
        return {
          subjectId: attachmentId,
          revision: null,
          statement: isNew
            ? (sql, { claim }) => insertThumbnail(sql, claim, attachmentId, thumbnail, bytes)
            : null,
          result: { attachment: { ...toStoredAttachment(row), thumbnail }, isNew },
        };
      },
      replay: () => Promise.reject(new Error("A thumbnail is written without a key")),
    },
  );
  return result;
}

async function receive(
  { clock }: ThumbnailServices,
  { request, confirm }: CheckedCall<string>,
): Promise<Uint8Array> {
  const reader = uploadStream(request, () => clock().getTime(), confirm).getReader();
  try {
    return await readBytes(reader, MAX_THUMBNAIL_BYTES, () => tooLarge(MAX_THUMBNAIL_BYTES));
  } finally {
    reader.cancel().catch(() => {});
  }
}

export function thumbnailEndpoint({ database }: Pick<ThumbnailServices, "database">): Endpoint {
  return endpoint({
    contract: {
      summary: "Download the thumbnail of an attachment",
      headers: ["If-None-Match"],
      responses: {
        200: { content: { mediaType: "image/*" }, headers: ["ETag"] },
        304: { headers: ["ETag"] },
      },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "attachmentId"),
    async handle({ parsed: attachmentId, caller, request }) {
      const owner = caller.account.accountId;
      const found = await database.read((sql) => findThumbnail(sql, owner, attachmentId));
      if (found === null) throw new ServiceError("RECORD_NOT_FOUND");
      return thumbnailReply(found, request.headers);
    },
  });
}

/** The bytes never change, so a browser may keep them. */
function thumbnailReply({ mediaType, bytes }: StoredThumbnail, headers: Headers): Reply {
  const tag = `"${sha256Hex(bytes)}"`;
  const kept = { ETag: tag, "Cache-Control": "private, max-age=31536000, immutable" };
  if (namesEntityTag(headers.get("If-None-Match"), tag)) return { status: 304, headers: kept };
  return {
    status: 200,
    // A copy: the driver's bytes are a part of all that it received.
    body: new Uint8Array(bytes),
    headers: {
      ...kept,
      "Content-Type": mediaType,
      "Content-Length": String(bytes.length),
      "Content-Security-Policy": "sandbox",
    },
  };
}

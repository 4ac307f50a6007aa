import type { Command } from "../command/command.ts";
import { whileDiskHasRoom } from "../command/disk_room.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Clock } from "../core/clock.ts";
import { UPLOADS_AT_ONCE } from "../core/shares.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { created, ok, type Reply } from "../http/reply.ts";
import { uploadStream } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import {
  distinctIdentifiers,
  optional,
  readQuery,
  refuseQuery,
  type Schema,
} from "../validate/schema.ts";
import { type Attachment, ATTACHMENT_SCHEMA, MAX_ATTACHMENT_BYTES } from "./attachment.ts";
import { contentReply } from "./content.ts";
import { CREATE_COMMAND, createAttachment, tooLarge } from "./create.ts";
import { CheckedObjects } from "./loss.ts";
import { type ObjectStore, ObjectTooLargeError, type ReceivedObject } from "./object_store.ts";
import { findAttachment, findAttachments, listAttachments } from "./attachment_store.ts";
import { putThumbnailEndpoint, thumbnailEndpoint } from "./thumbnail_routes.ts";
import { readUploadHead, type UploadHead } from "./upload_head.ts";

interface AttachmentServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly objects: ObjectStore;
}

export interface AttachmentEndpoints {
  readonly upload: Endpoint;
  readonly list: Endpoint;
  readonly detail: Endpoint;
  readonly content: Endpoint;
  readonly putThumbnail: Endpoint;
  readonly thumbnail: Endpoint;
}

export function createAttachmentEndpoints(services: AttachmentServices): AttachmentEndpoints {
  const uploads = new AccountPlaces(UPLOADS_AT_ONCE);
  return {
    upload: uploadEndpoint(services, uploads),
    list: listEndpoint(services),
    detail: detailEndpoint(services),
    content: contentEndpoint(services),
    putThumbnail: putThumbnailEndpoint(services, uploads),
    thumbnail: thumbnailEndpoint(services),
  };
}

/** Stores the bytes, synced, and then the row. A broken upload leaves nothing. */
function uploadEndpoint(services: AttachmentServices, uploads: AccountPlaces): Endpoint {
  return endpoint({
    contract: {
      summary: "Upload a file; the body is its content, Content-Type its media type",
      headers: ["X-Filename", "Content-Digest"],
      responses: { 201: { data: ATTACHMENT_SCHEMA } },
      errors: ["SYSTEM_MAINTENANCE"],
    },
    body: "stream",
    parse(call) {
      refuseQuery(call.query);
      return readUploadHead(call.request.headers);
    },
    handle: (call) => uploads.run(call.caller, () => upload(services, call)),
  });
}

async function upload(
  services: AttachmentServices,
  call: CheckedCall<UploadHead>,
): Promise<Reply> {
  const command = uploadCommand(call);
  await services.commands.assertOpen(command);
  const received = await receive(services, call);
  try {
    // An upload can take long: its credential must still be valid at its end.
    await call.confirm();
    const { result } = await createAttachment(services, command, received, call.parsed);
    return created(result, `/api/v2/attachments/${result.attachmentId}`);
  } finally {
    await received.discard();
  }
}

function uploadCommand({ operation, caller, requestId, now }: SignedInCall): Command {
  return { ...CREATE_COMMAND, operation, scope: operation, caller, requestId, now, key: null };
}

async function receive(
  { objects, clock, commands }: AttachmentServices,
  { request, caller, confirm }: SignedInCall,
): Promise<ReceivedObject> {
  const stream = uploadStream(request, () => clock().getTime(), confirm)
    .pipeThrough(whileDiskHasRoom(commands));
  try {
    return await objects.receive(caller.account.accountId, stream, MAX_ATTACHMENT_BYTES);
  } catch (error) {
    if (!(error instanceof ObjectTooLargeError)) throw error;
    throw tooLarge(MAX_ATTACHMENT_BYTES);
  }
}

/** Separated by commas. */
const IDS: Schema<string[]> = {
  ...distinctIdentifiers(PAGE_LIMIT.maximum),
  fromQuery: (text) => text.split(","),
};

function listEndpoint({ database }: AttachmentServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the attachments, newest first, or those with the given ids",
      query: { ...PAGE_QUERY, ids: optional(IDS) },
      responses: { 200: { data: pageOf(ATTACHMENT_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => query.has("ids") ? readQuery({ ids: IDS }, query) : readPageQuery(query),
    async handle({ parsed, caller }) {
      const owner = caller.account.accountId;
      if ("ids" in parsed) {
        const items = await database.read((sql) => findAttachments(sql, owner, parsed.ids));
        return ok({ items, nextCursor: null });
      }
      const { cursor, limit } = parsed;
      const [found, before] = await database.read(async (sql) =>
        await Promise.all([
          listAttachments(sql, owner, cursor, limit + 1),
          cursor === null ? null : findAttachment(sql, owner, cursor),
        ])
      );
      if (cursor !== null && before === null) {
        throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      }
      return ok(toPage(found, limit, (item) => item, (item) => item.attachmentId));
    },
  });
}

function detailEndpoint({ database }: AttachmentServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Describe an attachment",
      responses: { 200: { data: ATTACHMENT_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "attachmentId"),
    handle: async (call) => ok(await requireAttachment(database, call)),
  });
}

const BYTES = { mediaType: "*/*" } as const;
const CONTENT_HEADERS = ["ETag", "Accept-Ranges", "Content-Disposition"] as const;

function contentEndpoint({ database, objects }: AttachmentServices): Endpoint {
  const source = { objects, checked: new CheckedObjects(objects) };
  return endpoint({
    contract: {
      summary: "Download an attachment, or one range of its bytes",
      headers: ["If-None-Match", "Range", "If-Range"],
      responses: {
        200: { content: BYTES, headers: CONTENT_HEADERS },
        206: { content: BYTES, headers: [...CONTENT_HEADERS, "Content-Range"] },
        304: { headers: ["ETag"] },
      },
      errors: ["RECORD_NOT_FOUND", "ATTACHMENT_LOST", "HTTP_416"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "attachmentId"),
    async handle(call) {
      const { caller: { account }, request } = call;
      const attachment = await requireAttachment(database, call);
      return await contentReply(source, account.accountId, attachment, request);
    },
  });
}

async function requireAttachment(
  database: Database,
  { parsed: attachmentId, caller }: CheckedCall<string>,
): Promise<Attachment> {
  const owner = caller.account.accountId;
  const found = await database.read((sql) => findAttachment(sql, owner, attachmentId));
  if (found === null) throw new ServiceError("RECORD_NOT_FOUND");
  return found;
}

import type { Command } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Clock } from "../core/clock.ts";
import { isUlid } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { readPageQuery, toPage } from "../http/page.ts";
import { created, ok, type Reply } from "../http/reply.ts";
import { uploadStream } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint, type SignedInCall } from "../http/route.ts";
import { refuseQuery } from "../validate/schema.ts";
import { type Attachment, MAXIMUM_ATTACHMENT_BYTES } from "./attachment.ts";
import { ATTACHMENT_CONTRACTS } from "./contracts.ts";
import { contentReply } from "./content.ts";
import { CREATE_COMMAND, createAttachment, tooLarge } from "./create.ts";
import { type ObjectStore, ObjectTooLargeError, type ReceivedObject } from "./object_store.ts";
import { findAttachment, listAttachments } from "./store.ts";
import { readUploadHead, type UploadHead } from "./upload_head.ts";

/** How many uploads the sessions of one account may have under way, and how many its tokens. */
const UPLOADS_PER_ACCOUNT = 4;

/** What the attachment routes need of the application. */
export interface AttachmentServices {
  readonly database: Database;
  /** Measures how fast an upload comes. */
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly objects: ObjectStore;
}

/** The endpoints of `/api/v2/attachments`. */
export function createAttachmentEndpoints(services: AttachmentServices): AttachmentEndpoints {
  const { database, commands, objects, clock } = services;
  const uploads = new AccountPlaces(UPLOADS_PER_ACCOUNT);

  const find = async (call: CheckedCall<string>): Promise<Attachment> => {
    const owner = call.identity.account.accountId;
    const found = await database.read((sql) => findAttachment(sql, owner, call.parsed));
    if (found === null) throw new ServiceError("RECORD_NOT_FOUND");
    return found;
  };

  const upload = async (call: CheckedCall<UploadHead>): Promise<Reply> => {
    const command = uploadCommand(call);
    await commands.assertOpen(command);
    const received = await receive(objects, call, clock);
    try {
      // An upload may take long: its credential must still open the door at its end.
      await call.confirm();
      const services = { database, commands };
      const { answer: attachment } = await createAttachment(
        services,
        command,
        received,
        call.parsed,
      );
      return created(attachment, `/api/v2/attachments/${attachment.attachmentId}`);
    } finally {
      await received.discard();
    }
  };

  const parseId = (call: SignedInCall): string => {
    refuseQuery(call.query);
    const { attachmentId = "" } = call.params;
    if (!isUlid(attachmentId)) throw payloadInvalid(["attachment_id.format"]);
    return attachmentId;
  };

  return {
    /** Bytes first, synced and in their place; then the row. A broken upload leaves nothing. */
    upload: endpoint({
      contract: ATTACHMENT_CONTRACTS.upload,
      body: "stream",
      parse(call) {
        refuseQuery(call.query);
        return readUploadHead(call.request.headers);
      },
      handle: (call) => uploads.run(call.identity, () => upload(call)),
    }),

    list: endpoint({
      contract: ATTACHMENT_CONTRACTS.list,
      body: "none",
      parse: (call) => readPageQuery(call.query),
      async handle({ parsed: { cursor, limit }, identity }) {
        const owner = identity.account.accountId;
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
    }),

    detail: endpoint({
      contract: ATTACHMENT_CONTRACTS.detail,
      body: "none",
      parse: parseId,
      async handle(call) {
        return ok(await find(call));
      },
    }),

    content: endpoint({
      contract: ATTACHMENT_CONTRACTS.content,
      body: "none",
      parse: parseId,
      async handle(call) {
        const { identity: { account }, request } = call;
        return await contentReply(objects, account.accountId, await find(call), request);
      },
    }),
  };
}

/** One endpoint a route. */
export interface AttachmentEndpoints {
  readonly upload: Endpoint;
  readonly list: Endpoint;
  readonly detail: Endpoint;
  readonly content: Endpoint;
}

function uploadCommand(call: CheckedCall<UploadHead>): Command {
  return {
    ...CREATE_COMMAND,
    identity: call.identity,
    requestId: call.requestId,
    now: call.now,
    key: null,
  };
}

async function receive(
  objects: ObjectStore,
  { request, confirm }: SignedInCall,
  clock: Clock,
): Promise<ReceivedObject> {
  const stream = uploadStream(request, () => clock().getTime(), confirm);
  try {
    return await objects.receive(stream, MAXIMUM_ATTACHMENT_BYTES);
  } catch (error) {
    if (!(error instanceof ObjectTooLargeError)) throw error;
    throw tooLarge(MAXIMUM_ATTACHMENT_BYTES);
  }
}

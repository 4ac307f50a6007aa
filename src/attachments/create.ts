import type { Command, CommandResult, PlannedWrite } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import { newId } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { type Attachment, OWNER_QUOTA_ATTACHMENTS, OWNER_QUOTA_BYTES } from "./attachment.ts";
import type { ReceivedObject } from "./object_store.ts";
import { addUsage, findAttachment, hasAttachments, insertAttachment } from "./attachment_store.ts";
import type { UploadHead } from "./upload_head.ts";

/** What creating an attachment depends on. */
export interface CreateServices {
  readonly database: Database;
  readonly commands: CommandRunner;
}

/** What every command that creates an attachment has in common. */
export const CREATE_COMMAND = {
  moduleCode: null,
  target: "",
  policy: "attachment",
  frozen: true,
} as const;

/**
 * Creates an attachment from received bytes, or returns the replay of the command.
 *
 * @throws ServiceError `PAYLOAD_INVALID` where the bytes are not those that were announced, `HTTP_413`
 * beyond the owner's quota in bytes or in number; what `CommandRunner.run` throws.
 */
export async function createAttachment(
  services: CreateServices,
  command: Command,
  received: ReceivedObject,
  head: UploadHead,
): Promise<CommandResult<Attachment>> {
  if (head.expectedSha256 !== null && head.expectedSha256 !== received.sha256) {
    throw payloadInvalid(["content_digest.mismatch"]);
  }
  const owner = command.caller.account.accountId;
  return await services.commands.run<never, Attachment>(command, {
    decide: () => toWrite(command, received, head),
    async replay({ recordId }) {
      const kept = await services.database.read((sql) => findAttachment(sql, owner, recordId));
      if (kept === null) throw new Error("An envelope names an attachment that is not there");
      return kept;
    },
    constraints: { attachment_quota: () => tooLarge(OWNER_QUOTA_BYTES) },
  });
}

function toWrite(
  { caller, now }: Command,
  received: ReceivedObject,
  head: UploadHead,
): PlannedWrite<Attachment> {
  const owner = caller.account.accountId;
  const attachment = {
    attachmentId: newId(now),
    size: received.size,
    sha256: received.sha256,
    mediaType: head.mediaType,
    filename: head.filename,
    createdAt: now.toISOString(),
  };
  return {
    subjectId: attachment.attachmentId,
    revision: null,
    // After the claim and within the quota, so that an upload that is refused leaves no bytes. Should
    // the transaction fail after this, they stay, unseen, until the same content comes again.
    async verify(sql) {
      await addUsage(sql, owner, received.size);
      if (await hasAttachments(sql, owner, OWNER_QUOTA_ATTACHMENTS)) {
        throw tooLarge(OWNER_QUOTA_ATTACHMENTS);
      }
      await received.store(owner);
    },
    statement: (sql, ledger) => insertAttachment(sql, ledger, owner, attachment),
    result: attachment,
  };
}

/** The refusal of what is beyond a limit, in bytes or in number. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_413", { details: { limit } });
}

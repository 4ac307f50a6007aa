import type { Command, CommandResult, PlannedWrite } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import { newId } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { type Attachment, OWNER_QUOTA_ATTACHMENTS, OWNER_QUOTA_BYTES } from "./attachment.ts";
import type { ReceivedObject } from "./object_store.ts";
import { addUsage, findAttachment, hasAttachments, insertAttachment } from "./attachment_store.ts";
import type { UploadHead } from "./upload_head.ts";

interface CreateServices {
  readonly database: Database;
  readonly commands: CommandRunner;
}

/** Shared by every command that creates an attachment. */
export const CREATE_COMMAND = {
  moduleCode: null,
  target: "",
  policy: "attachment",
  frozen: true,
} as const;

/**
 * @throws ServiceError `PAYLOAD_INVALID` if the bytes do not match the announced digest, `HTTP_413`
 *   beyond the owner's quota in bytes or in number; errors of `CommandRunner.run`.
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
      const stored = await services.database.read((sql) => findAttachment(sql, owner, recordId));
      if (stored === null) throw new Error("The attachment of an envelope does not exist");
      return stored;
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
    thumbnail: null,
  };
  return {
    subjectId: attachment.attachmentId,
    revision: null,
    // Stored after the claim and the quota check, so that a refused upload leaves no bytes. If the
    // transaction fails later, a file stays until the same content is uploaded again.
    async verify(sql) {
      await addUsage(sql, owner, received.size);
      if (await hasAttachments(sql, owner, OWNER_QUOTA_ATTACHMENTS)) {
        throw tooLarge(OWNER_QUOTA_ATTACHMENTS);
      }
      await received.store(sql);
    },
    statement: (sql, ledger) => insertAttachment(sql, ledger, owner, attachment),
    result: attachment,
  };
}

/** @param limit The limit in bytes, or in number of attachments. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_413", { details: { limit } });
}

import { membersOf, type RowOf, showColumns, type ShownOf } from "../kit/columns.ts";
import { id, numeric, shortText, stamp } from "../kit/kinds.ts";
import { component, COUNT, type JsonSchema, nullable, SHA256 } from "../validate/json_schema.ts";
import { type Thumbnail, THUMBNAIL_SCHEMA } from "./thumbnail.ts";

const ATTACHMENT = {
  attachment_id: id,
  size: numeric("bigInteger", COUNT),
  // Hex; the column has the bytes.
  sha256: shortText(SHA256),
  media_type: shortText(),
  filename: shortText(),
  created_at: stamp,
};

export type AttachmentRow = RowOf<typeof ATTACHMENT>;
/** An attachment as it was uploaded. */
export type StoredAttachment = ShownOf<typeof ATTACHMENT>;

export interface Attachment extends StoredAttachment {
  readonly thumbnail: Thumbnail | null;
}

export const ATTACHMENT_SCHEMA: JsonSchema = component<Attachment>("Attachment", {
  ...membersOf(ATTACHMENT),
  thumbnail: nullable(THUMBNAIL_SCHEMA),
});

export function toStoredAttachment(row: AttachmentRow): StoredAttachment {
  return showColumns(ATTACHMENT, row);
}

export const MAX_ATTACHMENT_BYTES = 64 * 1024 * 1024;
/** Per owner; the database enforces the same limit. */
export const OWNER_QUOTA_BYTES = 10 * 1024 * 1024 * 1024;
/** Per owner; empty attachments count too. */
export const OWNER_QUOTA_ATTACHMENTS = 100_000;

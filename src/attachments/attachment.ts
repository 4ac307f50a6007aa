import {
  component,
  COUNT,
  type JsonSchema,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";

export interface Attachment {
  readonly attachmentId: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  readonly mediaType: string;
  readonly filename: string;
  readonly createdAt: string;
}

export const ATTACHMENT_SCHEMA: JsonSchema = component<Attachment>("Attachment", {
  attachmentId: ULID,
  size: COUNT,
  sha256: SHA256,
  mediaType: TEXT,
  filename: TEXT,
  createdAt: TIME,
});

export const MAX_ATTACHMENT_BYTES = 64 * 1024 * 1024;
/** Per owner; the database enforces the same limit. */
export const OWNER_QUOTA_BYTES = 10 * 1024 * 1024 * 1024;
/** Per owner; empty attachments count too. */
export const OWNER_QUOTA_ATTACHMENTS = 100_000;

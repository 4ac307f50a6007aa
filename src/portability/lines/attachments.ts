import { MAX_ATTACHMENT_BYTES } from "../../attachments/attachment.ts";
import { isFilename, isMediaType } from "../../attachments/upload_head.ts";
import { lineType } from "../description.ts";
import { bigInteger, digest, id, stamp, text, type ValueKind } from "../kinds.ts";

/** The size of an attachment, within the limit of uploads. */
const size: ValueKind = {
  ...bigInteger,
  accepts: (value) =>
    bigInteger.accepts(value) && Number(value) >= 0 && Number(value) <= MAX_ATTACHMENT_BYTES,
};
const mediaType: ValueKind = {
  ...text,
  accepts: (value) => typeof value === "string" && isMediaType(value),
};
const filename: ValueKind = {
  ...text,
  accepts: (value) => typeof value === "string" && isFilename(value),
};

export const ATTACHMENT_LINES = lineType("attachment", {
  table: "attachments",
  columns: {
    attachment_id: id,
    size,
    sha256: digest,
    media_type: mediaType,
    filename,
    created_at: stamp,
  },
  hasBytes: true,
});

import { Buffer } from "node:buffer";
import { MAX_ATTACHMENT_BYTES } from "../../attachments/attachment.ts";
import { describeThumbnail } from "../../attachments/thumbnail.ts";
import { isFilename, isMediaType } from "../../attachments/upload_head.ts";
import type { JsonObject } from "../../core/json.ts";
import { lineType } from "../description.ts";
import { bigInteger, digest, hex, id, integer, stamp, text, type ValueKind } from "../kinds.ts";

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

/** Only a moving account's file has these: elsewhere a browser draws them again. */
export const THUMBNAIL_LINES = lineType("thumbnail", {
  table: "attachment_thumbnails",
  columns: {
    attachment_id: id,
    media_type: text,
    width: integer,
    height: integer,
    bytes: hex,
    created_at: stamp,
  },
  accepts: isThumbnail,
});

/** True if the bytes are a picture of this type with these sides. */
function isThumbnail({ bytes, media_type, width, height }: JsonObject): boolean {
  const found = describeThumbnail(Buffer.from(String(bytes), "hex"));
  return found?.mediaType === media_type && found?.width === width && found?.height === height;
}

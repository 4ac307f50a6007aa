import { lineType } from "../description.ts";
import { bigInteger, digest, id, stamp, text } from "../kinds.ts";

export const ATTACHMENTS = lineType("attachment", {
  table: "attachments",
  columns: {
    attachment_id: id,
    size: bigInteger,
    sha256: digest,
    media_type: text,
    filename: text,
    created_at: stamp,
  },
  hasBytes: true,
});

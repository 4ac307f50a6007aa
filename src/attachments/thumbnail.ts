/** A small picture of an attachment, which a browser draws: no image is decoded here. */

import { payloadInvalid } from "../errors/service_error.ts";
import { component, enumOf, type JsonSchema } from "../validate/json_schema.ts";
import { PICTURE_TYPES, type PictureHeader, readPictureHeader } from "./picture_header.ts";

export const MAX_THUMBNAIL_BYTES = 64 * 1024;
const MAX_SIDE = 512;

export interface Thumbnail extends PictureHeader {
  readonly size: number;
}

const SIDE: JsonSchema = { type: "integer", minimum: 1, maximum: MAX_SIDE };

export const THUMBNAIL_SCHEMA: JsonSchema = component<Thumbnail>("Thumbnail", {
  mediaType: enumOf(PICTURE_TYPES),
  size: { type: "integer", minimum: 1, maximum: MAX_THUMBNAIL_BYTES },
  width: SIDE,
  height: SIDE,
});

/** Returns null unless the bytes begin like a picture with sides within the limit. */
export function describeThumbnail(bytes: Uint8Array): Thumbnail | null {
  const header = readPictureHeader(bytes);
  const isSmall = header !== null && header.width <= MAX_SIDE && header.height <= MAX_SIDE;
  return isSmall ? { ...header, size: bytes.length } : null;
}

/** @throws ServiceError `PAYLOAD_INVALID`, also if the bytes are of another type than announced. */
export function checkThumbnail(bytes: Uint8Array, headers: Headers): Thumbnail {
  const thumbnail = describeThumbnail(bytes);
  const [announced = ""] = (headers.get("Content-Type") ?? "").toLowerCase().split(";");
  if (thumbnail?.mediaType !== announced.trim()) throw payloadInvalid(["thumbnail.form"]);
  return thumbnail;
}

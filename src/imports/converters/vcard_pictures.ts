/** Pictures in cards. */

import { Base64Decoder, dataAddress, pictureType } from "./base64.ts";
import { type CardFile, type ContentLine, isBase64, unescapeText } from "./vcard_lines.ts";

type Picture = Pick<CardFile, "mediaType" | "content">;

const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/** @returns Null for an address; undefined for a picture that cannot be decoded. */
export function readPicture(line: ContentLine): Picture | null | undefined {
  const { parameters, value, picture } = line;
  if (picture) {
    const { stated, firstBytes, sha256, size } = picture;
    return { mediaType: mediaTypeOf(stated, firstBytes), content: { sha256, size } };
  }
  const text = unescapeText(value).trim();
  const data = dataAddress(text);
  if (data === null && ADDRESS.test(text)) return null;
  const content = decoded(text.slice(data?.start ?? 0));
  if (data !== null || isBase64(parameters)) {
    const stated = data?.stated ?? parameters.get("TYPE")?.[0] ?? "";
    return content === null ? undefined : { mediaType: mediaTypeOf(stated, content), content };
  }
  const mediaType = content === null ? null : pictureType(content);
  if (content !== null && mediaType !== null) return { mediaType, content };
  // A relative address.
  return parameters.get("VALUE")?.[0]?.toLowerCase() === "uri" ? null : undefined;
}

function decoded(base64: string): Uint8Array | null {
  const decoder = new Base64Decoder();
  const content = decoder.decode(new TextEncoder().encode(base64));
  return decoder.isWhole ? content : null;
}

/** The type of the first bytes, else the stated one. */
function mediaTypeOf(stated: string, bytes: Uint8Array): string {
  const word = stated.toLowerCase();
  const detected = pictureType(bytes);
  if (detected !== null) return detected;
  if (/^[a-z]+\/[a-z0-9.+-]+$/.test(word)) return word;
  const isImage = /^[a-z]{3,5}$/.test(word);
  return isImage ? `image/${word === "jpg" ? "jpeg" : word}` : "application/octet-stream";
}

import { Buffer } from "node:buffer";
import type { ContentLine } from "./vcard_lines.ts";

/** Inside the card. */
export interface CardPicture {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export const PICTURES: readonly string[] = ["PHOTO", "LOGO"];

/** Null for an address and for invalid base64. */
export function readPicture({ name, parameters, value }: ContentLine): CardPicture | null {
  if (!PICTURES.includes(name)) return null;
  const [, stated, data] = /^data:([^;,]*)(?:;[^;,]*)*;base64,([^]*)$/i.exec(value.trim()) ?? [];
  const encoding = parameters.get("ENCODING")?.[0]?.toUpperCase();
  const isInline = encoding === "B" || encoding === "BASE64";
  if (data === undefined && !isInline) return null;
  const base64 = (data ?? value).replaceAll(/\s|\\(?=,)/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return { mediaType: mediaTypeOf(stated ?? parameters.get("TYPE")?.[0] ?? "", bytes), bytes };
}

/** The stated type, else the type detected from the first bytes. */
function mediaTypeOf(stated: string, bytes: Uint8Array): string {
  const word = stated.toLowerCase();
  if (/^[a-z]+\/[a-z0-9.+-]+$/.test(word)) return word;
  if (/^[a-z]{3,5}$/.test(word)) return `image/${word === "jpg" ? "jpeg" : word}`;
  const first = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  if (first.startsWith("ffd8")) return "image/jpeg";
  if (first === "89504e47") return "image/png";
  return first === "47494638" ? "image/gif" : "application/octet-stream";
}

export function endingOf({ mediaType }: CardPicture): string {
  const [, ending = "bin"] = /^image\/([a-z]+)$/.exec(mediaType) ?? [];
  return ending === "jpeg" ? "jpg" : ending;
}

import { Buffer } from "node:buffer";

/** Base64 as the headers of files have it: without padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

/** Reads what `encodeBase64` writes; null for any other spelling, also of the same bytes. */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return encodeBase64(bytes) === text ? bytes : null;
}

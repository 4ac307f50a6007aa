import { Buffer } from "node:buffer";

/** Without padding, as in age headers. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

/** Null for any other spelling, also of the same bytes. */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return encodeBase64(bytes) === text ? bytes : null;
}

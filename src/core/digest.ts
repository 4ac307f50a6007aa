import { createHash, createHmac } from "node:crypto";
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "@std/crypto";

/** SHA-256 of a text's UTF-8 bytes. Secrets are stored as this digest only. */
export function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** The same in hexadecimal digits. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** HMAC-SHA-256 of a text's UTF-8 bytes. */
export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

/** Whether two secrets or codes are the same, in a time that depends on their lengths alone. */
export function constantTimeEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** The kind of a secret, as a prefix that scanners can recognise. */
export type SecretPrefix = "prs_s_" | "prs_p_" | "prs_x_" | "prs_i_";

/**
 * A new 256-bit secret in base64url: session (`prs_s_`), personal access token (`prs_p_`), step-up proof
 * (`prs_x_`) or set-up token (`prs_i_`).
 */
export function newSecret(prefix: SecretPrefix): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return prefix + Buffer.from(bytes).toString("base64url");
}

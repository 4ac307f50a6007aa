import { createHash, createHmac } from "node:crypto";
import { timingSafeEqual } from "@std/crypto";
import { toBase64url } from "./base64url.ts";

/** SHA-256 of the UTF-8 bytes. Secrets are stored only in this form. */
export function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

/** Runs in a time that depends on the lengths only. */
export function constantTimeEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/**
 * Prefixes that scanners can recognise: session (`s`), personal access token (`p`), step-up proof
 * (`x`), set-up token (`i`), calendar address (`c`) or assistant (`a`); of an assistant's sign-in:
 * code (`g`), access token (`o`) or refresh token (`r`).
 */
type SecretPrefix = `prs_${"s" | "p" | "x" | "i" | "c" | "a" | "g" | "o" | "r"}_`;

/** 256 random bits in base64url. */
export function newSecret(prefix: SecretPrefix): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return prefix + toBase64url(bytes);
}

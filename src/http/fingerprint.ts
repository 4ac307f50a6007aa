import { Buffer } from "node:buffer";
import { hmacSha256 } from "../core/digest.ts";
import type { JsonValue } from "../core/json.ts";
import { canonicalJson } from "../validate/canonical.ts";

/** Binds a key to its request, without storing any part of it. */
export type Fingerprinter = (
  method: string,
  path: string,
  body: JsonValue,
) => { readonly fingerprint: Uint8Array; readonly fingerprintKey: string };

/**
 * HMAC-SHA-256 of method, path and canonical body. Reveals nothing of a body without the secret.
 */
export function createFingerprinter(serverSecret: Uint8Array): Fingerprinter {
  const key = hmacSha256(serverSecret, "idempotency fingerprint");
  const fingerprintKey = Buffer.from(hmacSha256(key, "key id")).toString("hex").slice(0, 16);
  return (method, path, body) => ({
    fingerprint: hmacSha256(key, `${method}\n${path}\n${canonicalJson(body)}`),
    fingerprintKey,
  });
}

/** Recovery codes: each signs in once, for an owner who lost the authenticator. */

import { base32 } from "../core/base32.ts";
import { sha256 } from "../core/digest.ts";

/** How many codes there are at a time. */
const COUNT = 10;
/** 120 bits of chance: no one finds a code by its digest, so a digest needs neither salt nor cost. */
const CODE_BYTES = 15;

/** New codes: 24 letters and digits each, in groups of six that are easy to copy. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const text = base32(crypto.getRandomValues(new Uint8Array(CODE_BYTES)));
    return (text.match(/.{6}/g) ?? []).join("-");
  });
}

/** The stored digest of a code. Ignores case, hyphens and spaces. */
export function recoveryCodeDigest(code: string): Uint8Array {
  return sha256(code.replaceAll(/[\s-]/g, "").toUpperCase());
}

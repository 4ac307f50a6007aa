/** Recovery codes, for an owner who lost the authenticator. Each works once. */

import { base32 } from "../core/base32.ts";
import { sha256 } from "../core/digest.ts";

const COUNT = 10;
/** Codes are too many to guess, so the digest needs neither salt nor cost. */
const CODE_BYTES = 15;

/** 24 letters and digits each, in groups of six. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const text = base32(crypto.getRandomValues(new Uint8Array(CODE_BYTES)));
    return (text.match(/.{6}/g) ?? []).join("-");
  });
}

/** Ignores case, hyphens and spaces. */
export function recoveryCodeDigest(code: string): Uint8Array {
  return sha256(code.replaceAll(/[\s-]/g, "").toUpperCase());
}

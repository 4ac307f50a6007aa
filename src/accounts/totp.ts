/** RFC 6238: SHA-1, six digits, a new code every 30 seconds. */

import { createHmac } from "node:crypto";
import { Buffer } from "node:buffer";
import { base32 } from "../core/base32.ts";
import { constantTimeEqual } from "../core/digest.ts";

/** As RFC 4226 recommends for SHA-1. */
const SECRET_BYTES = 20;
const DIGITS = 6;
const STEP_SECONDS = 30;
/** How many steps a code may be early or late. */
const TOLERANCE = 1;

export function newTotpSecret(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}

/** The number of 30-second steps since 1970. */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1000 / STEP_SECONDS);
}

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  // The low four bits of the last byte are the number's offset (RFC 4226, 5.3).
  const number = hash.readUInt32BE(hash.readUInt8(hash.length - 1) & 15) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * Returns the step of a code: the current one, the one before or the one after; null if none
 * matches. Compares all three, so that the time reveals nothing.
 *
 * @param lastStep The last step whose code was used: this step and older ones are rejected.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  moment: Date,
  lastStep: number,
): number | null {
  const present = stepAt(moment);
  const sent = Buffer.from(code);
  let matching: number | null = null;
  for (let step = present + TOLERANCE; step >= present - TOLERANCE; step--) {
    const isCode = constantTimeEqual(sent, Buffer.from(totpCode(secret, step)));
    if (isCode && step > lastStep) matching = step;
  }
  return matching;
}

interface TotpLabel {
  /** The installation's name. It must not contain a colon, which would end it in the label. */
  readonly issuer: string;
  readonly account: string;
}

export function totpUri(secret: Uint8Array, { issuer, account }: TotpLabel): string {
  const parameters = {
    secret: base32(secret),
    issuer: encodeURIComponent(issuer),
    algorithm: "SHA1",
    digits: DIGITS,
    period: STEP_SECONDS,
  };
  // Authenticators do not decode a plus sign, so spaces are written as `%20`.
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join("&");
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`;
}

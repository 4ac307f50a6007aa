/** The authenticator data of WebAuthn level 3, section 6.1. */

import { Buffer } from "node:buffer";
import { sha256 } from "../../core/digest.ts";
import { CborError, decodeFirstCbor } from "./cbor.ts";
import { PasskeyRefusal } from "./refusal.ts";

export interface AuthenticatorData {
  /** The authenticator's signature counter; 0 without one. */
  readonly counter: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  /** The new credential; null in an assertion. */
  readonly attested: AttestedCredential | null;
}

interface AttestedCredential {
  readonly credentialId: Uint8Array;
  /** A COSE key, not checked yet. */
  readonly publicKey: Uint8Array;
}

const FLAGS = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 } as const;
const RP_ID_BYTES = 32;
/** Digest of the RP id, flags, and four bytes of counter. */
const HEAD_BYTES = RP_ID_BYTES + 1 + 4;
const AAGUID_BYTES = 16;
const MAX_CREDENTIAL_ID_BYTES = 1023;

/**
 * Reads authenticator data that proves the presence and verification of a user at this
 * installation.
 *
 * @param isRegistration Whether it must contain a new credential; otherwise it must not.
 * @throws PasskeyRefusal
 */
export function readAuthenticatorData(
  bytes: Uint8Array,
  rpId: string,
  isRegistration: boolean,
): AuthenticatorData {
  if (bytes.length < HEAD_BYTES) throw new PasskeyRefusal("passkey.format");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(RP_ID_BYTES);
  const has = (flag: keyof typeof FLAGS) => (flags & FLAGS[flag]) !== 0;
  if (Buffer.compare(bytes.subarray(0, RP_ID_BYTES), sha256(rpId)) !== 0) {
    throw new PasskeyRefusal("passkey.rp");
  }
  if (!has("UP") || !has("UV")) throw new PasskeyRefusal("passkey.user_verification");
  if ((has("BS") && !has("BE")) || has("AT") !== isRegistration) {
    throw new PasskeyRefusal("passkey.format");
  }
  try {
    const attested = has("AT") ? readAttested(bytes, view) : null;
    let end = attested?.end ?? HEAD_BYTES;
    if (has("ED")) end = endOfExtensions(bytes, end);
    if (end !== bytes.length) throw new PasskeyRefusal("passkey.format");
    return {
      counter: view.getUint32(RP_ID_BYTES + 1),
      backupEligible: has("BE"),
      backedUp: has("BS"),
      attested,
    };
  } catch (error) {
    if (error instanceof CborError) throw new PasskeyRefusal("passkey.format", error);
    throw error;
  }
}

function readAttested(bytes: Uint8Array, view: DataView): AttestedCredential & { end: number } {
  const idStart = HEAD_BYTES + AAGUID_BYTES + 2;
  if (bytes.length < idStart) throw new PasskeyRefusal("passkey.format");
  const length = view.getUint16(idStart - 2);
  const keyStart = idStart + length;
  if (length < 1 || length > MAX_CREDENTIAL_ID_BYTES || keyStart > bytes.length) {
    throw new PasskeyRefusal("passkey.format");
  }
  const { end } = decodeFirstCbor(bytes, keyStart);
  return {
    credentialId: bytes.subarray(idStart, keyStart),
    publicKey: bytes.subarray(keyStart, end),
    end,
  };
}

function endOfExtensions(bytes: Uint8Array, start: number): number {
  const { value, end } = decodeFirstCbor(bytes, start);
  if (!(value instanceof Map)) throw new PasskeyRefusal("passkey.format");
  return end;
}

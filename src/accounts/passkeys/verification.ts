/** Checks authenticators' answers: WebAuthn level 3, sections 7.1 and 7.2, no attestation. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type AuthenticatorData, readAuthenticatorData } from "./authenticator_data.ts";
import { CborError, decodeCbor } from "./cbor.ts";
import { checkClientData, type ExpectedClientData } from "./client_data.ts";
import { KeyError, type PasskeyAlgorithm, type PublicKey, readPublicKey } from "./cose_key.ts";
import type { SentAssertion, SentAttestation } from "./passkey_schema.ts";
import { PasskeyRefusal } from "./refusal.ts";

export interface PasskeySite {
  /** Every answer must name one of them. */
  readonly origins: readonly string[];
  /** The host name that passkeys belong to. */
  readonly rpId: string;
}

export interface NewCredential extends Omit<AuthenticatorData, "attested"> {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly algorithm: PasskeyAlgorithm;
}

/**
 * Checks the answer to a registration.
 *
 * @throws PasskeyRefusal
 */
export async function verifyRegistration(
  { credentialId, clientDataJSON, attestationObject }: SentAttestation,
  { origins, rpId }: PasskeySite,
  isChallenge: ExpectedClientData["isChallenge"],
): Promise<NewCredential> {
  checkClientData(clientDataJSON, { type: "webauthn.create", origins, isChallenge });
  const { attested, ...state } = readAuthenticatorData(
    readAttestation(attestationObject),
    rpId,
    true,
  );
  if (attested === null || Buffer.compare(attested.credentialId, credentialId) !== 0) {
    throw new PasskeyRefusal("passkey.format");
  }
  const { algorithm } = await readKey(attested.publicKey);
  return { ...state, credentialId, publicKey: attested.publicKey, algorithm };
}

export interface KnownCredential {
  readonly public_key: Uint8Array;
  readonly backup_eligible: boolean;
}

/**
 * Checks the answer to a sign-in or step-up, except for the counter.
 *
 * @throws PasskeyRefusal
 */
export async function verifyAssertion(
  { clientDataJSON, authenticatorData, signature }: SentAssertion,
  known: KnownCredential,
  { origins, rpId }: PasskeySite,
  isChallenge: ExpectedClientData["isChallenge"],
): Promise<Pick<AuthenticatorData, "counter" | "backedUp">> {
  checkClientData(clientDataJSON, { type: "webauthn.get", origins, isChallenge });
  const data = readAuthenticatorData(authenticatorData, rpId, false);
  if (data.backupEligible !== known.backup_eligible) throw new PasskeyRefusal("passkey.format");
  const key = await readKey(known.public_key);
  const clientDataHash = createHash("sha256").update(clientDataJSON).digest();
  const message = Buffer.concat([authenticatorData, clientDataHash]);
  if (!await key.verify(signature, message)) throw new PasskeyRefusal("passkey.signature");
  return data;
}

/** The authenticator data of an attestation object without an attestation. */
function readAttestation(bytes: Uint8Array): Uint8Array {
  const attestation = decodeOrRefuse(bytes);
  if (!(attestation instanceof Map) || attestation.size !== 3) {
    throw new PasskeyRefusal("passkey.format");
  }
  const [format, statement, data] = ["fmt", "attStmt", "authData"].map((name) =>
    attestation.get(name)
  );
  if (format === undefined || statement === undefined || !(data instanceof Uint8Array)) {
    throw new PasskeyRefusal("passkey.format");
  }
  if (format !== "none" || !(statement instanceof Map) || statement.size > 0) {
    throw new PasskeyRefusal("passkey.attestation");
  }
  return data;
}

function decodeOrRefuse(bytes: Uint8Array): ReturnType<typeof decodeCbor> {
  try {
    return decodeCbor(bytes);
  } catch (error) {
    if (error instanceof CborError) throw new PasskeyRefusal("passkey.format", error);
    throw error;
  }
}

async function readKey(bytes: Uint8Array): Promise<PublicKey> {
  try {
    return await readPublicKey(bytes);
  } catch (error) {
    if (error instanceof KeyError) throw new PasskeyRefusal("passkey.algorithm", error);
    throw error;
  }
}

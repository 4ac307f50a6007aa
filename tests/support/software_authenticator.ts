/**
 * An authenticator in software, with its own CBOR: it answers the options of the service as a
 * browser and a security key would, and can answer wrongly on request. It shares no code with the
 * service.
 */

import { Buffer } from "node:buffer";
import type { Json } from "./world.ts";

type Bytes = Uint8Array<ArrayBuffer>;
export type Algorithm = "ES256" | "EdDSA" | "RS256" | "ML-DSA-44" | "ML-DSA-65";

/** Flags of authenticator data. */
export const UP = 0x01;
export const UV = 0x04;
export const BE = 0x08;
export const BS = 0x10;
export const AT = 0x40;
export const ED = 0x80;

/** Bytes in base64url. */
export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** The bytes of base64url. */
export function bytesOf(text: string): Bytes {
  return Uint8Array.from(Buffer.from(text, "base64url"));
}

/** Bytes one after the other. */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  return Uint8Array.from(Buffer.concat(parts));
}

/** CBOR of integers, texts, bytes, booleans, lists and maps, in the shortest form. */
export function cbor(value: Json): Bytes {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "boolean") return Uint8Array.of(value ? 0xf5 : 0xf4);
  if (typeof value === "string") {
    return concat(head(3, Buffer.byteLength(value)), Buffer.from(value));
  }
  if (value instanceof Uint8Array) return concat(head(2, value.length), value);
  if (Array.isArray(value)) return concat(head(4, value.length), ...value.map(cbor));
  const entries: [Json, Json][] = [...value];
  return concat(head(5, entries.length), ...entries.flat().map(cbor));
}

function head(type: number, argument: number): Bytes {
  const first = type << 5;
  if (argument < 24) return Uint8Array.of(first | argument);
  if (argument < 256) return Uint8Array.of(first | 24, argument);
  if (argument < 65536) return Uint8Array.of(first | 25, argument >> 8, argument & 255);
  const bytes = Buffer.alloc(5, first | 26);
  bytes.writeUInt32BE(argument, 1);
  return Uint8Array.from(bytes);
}

/** How an answer differs from a right one. */
export interface Fault {
  /** Members of the client data; undefined leaves one out. */
  readonly clientData?: Json;
  /** The client data as it is sent, instead. */
  readonly rawClientData?: Uint8Array;
  readonly rpId?: string;
  readonly flags?: number;
  /** Added to the authenticator data. */
  readonly extensions?: Uint8Array;
  /** Changes the authenticator data before it is signed. */
  readonly authData?: (bytes: Bytes) => Uint8Array;
  /** Changes the COSE key, as a map. */
  readonly key?: (members: Map<number, Json>) => Json;
  /** Changes the attestation object, as a map. */
  readonly attestation?: (members: Map<string, Json>) => Json;
  /** The attestation object as it is sent, instead. */
  readonly rawAttestation?: (bytes: Bytes) => Uint8Array;
  readonly signature?: (bytes: Bytes) => Uint8Array;
  readonly counter?: number;
  /** Members of `response`; undefined leaves one out. */
  readonly response?: Json;
  /** Members of the credential. */
  readonly credential?: Json;
}

const PARAMETERS = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
  RS256: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
  "ML-DSA-44": { name: "ML-DSA-44" },
  "ML-DSA-65": { name: "ML-DSA-65" },
} as const;

/** The numbers of ML-DSA in COSE. */
const ML_DSA = { "ML-DSA-44": -48, "ML-DSA-65": -49 } as const;

// One for all passkeys, because RSA keys take long to make.
let rsaKeys: Promise<CryptoKeyPair> | undefined;

async function generate(algorithm: Algorithm): Promise<CryptoKeyPair> {
  const keys = await crypto.subtle.generateKey(PARAMETERS[algorithm], true, ["sign", "verify"]);
  return keys as CryptoKeyPair;
}

/** One passkey, on an authenticator that verifies its user. */
export class SoftwarePasskey {
  readonly id: Bytes;
  readonly algorithm: Algorithm;
  readonly #isDiscoverable: boolean;
  readonly #keys: CryptoKeyPair;
  /** The user id that came with the registration. */
  userHandle: string | null = null;
  /** The count of signatures; stays 0 without one. */
  counter: number;
  flags: number;

  private constructor(algorithm: Algorithm, keys: CryptoKeyPair, options: PasskeyOptions) {
    this.algorithm = algorithm;
    this.#keys = keys;
    this.#isDiscoverable = options.isDiscoverable ?? true;
    this.id = options.id ?? crypto.getRandomValues(new Uint8Array(32));
    this.counter = options.counter ?? 0;
    this.flags = UP | UV | (options.flags ?? 0);
  }

  /** Makes a key pair. */
  static async make(
    algorithm: Algorithm = "ES256",
    options: PasskeyOptions = {},
  ): Promise<SoftwarePasskey> {
    const isSlow = algorithm === "RS256";
    const keys = await (isSlow ? rsaKeys ??= generate(algorithm) : generate(algorithm));
    return new SoftwarePasskey(algorithm, keys, options);
  }

  /**
   * Answers the options of a registration.
   *
   * @throws Error if the options require a discoverable passkey and this one is not.
   */
  async register(options: Json, origin: string, fault: Fault = {}): Promise<Json> {
    this.#assertDiscoverable(options.authenticatorSelection?.residentKey !== "required");
    this.userHandle = options.user.id;
    const length = Uint8Array.of(this.id.length >> 8, this.id.length & 255);
    const members = await this.coseKey();
    const key = cbor(fault.key?.(members) ?? members);
    const attested = concat(new Uint8Array(16), length, this.id, key);
    const flags = fault.flags ?? (this.flags | AT);
    const authData = await this.#authenticatorData(options.rp.id, flags, attested, fault);
    const map = new Map<string, Json>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    const attestation = cbor(fault.attestation?.(map) ?? map);
    return this.#credential("webauthn.create", options, origin, fault, {
      attestationObject: base64url(fault.rawAttestation?.(attestation) ?? attestation),
      transports: ["hybrid", "internal"],
    });
  }

  /**
   * Answers the options of a sign-in or step-up.
   *
   * @throws Error if the options list no credentials and this passkey is not discoverable.
   */
  async assert(options: Json, origin: string, fault: Fault = {}): Promise<Json> {
    this.#assertDiscoverable(options.allowCredentials?.length > 0);
    if (this.counter > 0) this.counter++;
    const flags = fault.flags ?? this.flags;
    const rpId = options.rpId ?? options.rp.id;
    const authData = await this.#authenticatorData(rpId, flags, new Uint8Array(), fault);
    const clientData = clientDataOf("webauthn.get", options, origin, fault);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", clientData));
    const signed = await this.sign(concat(authData, hash));
    return this.#credential("webauthn.get", options, origin, fault, {
      authenticatorData: base64url(authData),
      signature: base64url(fault.signature?.(signed) ?? signed),
      userHandle: this.userHandle,
    });
  }

  /** A signature in the form of the key's algorithm. */
  async sign(message: Bytes): Promise<Bytes> {
    const parameters = PARAMETERS[this.algorithm];
    const raw = new Uint8Array(
      await crypto.subtle.sign(parameters, this.#keys.privateKey, message),
    );
    return this.algorithm === "ES256" ? toDer(raw) : raw;
  }

  /** The members of the public key. */
  async coseKey(): Promise<Map<number, Json>> {
    const jwk: Json = await crypto.subtle.exportKey("jwk", this.#keys.publicKey);
    const bytes = (name: "x" | "y" | "n" | "e" | "pub") => bytesOf(jwk[name]);
    switch (this.algorithm) {
      case "ES256":
        return new Map<number, Json>([[1, 2], [3, -7], [-1, 1], [-2, bytes("x")], [
          -3,
          bytes("y"),
        ]]);
      case "EdDSA":
        return new Map<number, Json>([[1, 1], [3, -8], [-1, 6], [-2, bytes("x")]]);
      case "RS256":
        return new Map<number, Json>([[1, 3], [3, -257], [-1, bytes("n")], [-2, bytes("e")]]);
      case "ML-DSA-44":
      case "ML-DSA-65":
        return new Map<number, Json>([[1, 7], [3, ML_DSA[this.algorithm]], [-1, bytes("pub")]]);
    }
  }

  #assertDiscoverable(isOptional: boolean): void {
    if (!isOptional && !this.#isDiscoverable) throw new Error("The passkey is not discoverable");
  }

  async #authenticatorData(
    rpId: string,
    flags: number,
    attested: Uint8Array,
    fault: Fault,
  ): Promise<Bytes> {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(fault.counter ?? this.counter);
    const name = Uint8Array.from(Buffer.from(fault.rpId ?? rpId));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", name));
    const extensions = fault.extensions ?? new Uint8Array();
    const data = concat(digest, Uint8Array.of(flags), counter, attested, extensions);
    return Uint8Array.from(fault.authData?.(data) ?? data);
  }

  #credential(
    type: string,
    options: Json,
    origin: string,
    fault: Fault,
    response: Json,
  ): Json {
    const id = base64url(this.id);
    const clientDataJSON = base64url(clientDataOf(type, options, origin, fault));
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: { clientDataJSON, ...response, ...fault.response },
      ...fault.credential,
    };
  }
}

interface PasskeyOptions {
  readonly id?: Bytes;
  /** Whether the authenticator finds it without its id. True by default. */
  readonly isDiscoverable?: boolean;
  /** More flags than UP and UV. */
  readonly flags?: number;
  readonly counter?: number;
}

function clientDataOf(type: string, { challenge }: Json, origin: string, fault: Fault): Bytes {
  const data = { type, challenge, origin, crossOrigin: false, ...fault.clientData };
  return Uint8Array.from(fault.rawClientData ?? Buffer.from(JSON.stringify(data)));
}

/** The two numbers of an ECDSA signature in DER. */
export function toDer(raw: Uint8Array): Bytes {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].map((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const shortest = number.subarray(first);
    const padded = (shortest[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), shortest) : shortest;
    return concat(Uint8Array.of(2, padded.length), padded);
  });
  const body = concat(...numbers);
  return concat(Uint8Array.of(0x30, body.length), body);
}

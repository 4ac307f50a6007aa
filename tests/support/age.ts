/** Keys and files in the age format. */

import { Buffer } from "node:buffer";
import { createCipheriv, createHmac, hkdfSync, scryptSync } from "node:crypto";
import { AgeError } from "../../src/operator/backup/age/age_error.ts";
import { beginEncryption, decrypt } from "../../src/operator/backup/age/encrypted_file.ts";
import {
  type KeyPair,
  parseIdentities,
  parseRecipients,
} from "../../src/operator/backup/age/keys.ts";
import type { AgeIdentity, Recipient } from "../../src/operator/backup/age/stanza.ts";

/** Made by `age-keygen`. */
export const [KEYS, OTHER_KEYS]: readonly [KeyPair, KeyPair] = [
  {
    publicKey: "age1yjf0rtsdlc68tu3t9jdk8m050khys2p7uz439tsnqzq79e7vepkq0st2k6",
    secretKey: "AGE-SECRET-KEY-1RGLKT393DL82RU8H54TJWL2T9X3GL0JQW92W83THZN5KS0VGU9ZQX5KQ2M",
  },
  {
    publicKey: "age1dzc2sgp3k99xetkwmg59qv73a876ussf6al7zmkc2mnz06s4fdys3yceav",
    secretKey: "AGE-SECRET-KEY-1FCPWDEKK3DHWL7CD7R0HTTVN2VCZ6JLA34TKFF940SCTAP3MY7USMANCJZ",
  },
];

export function recipientOf({ publicKey }: KeyPair): Recipient {
  return parseRecipients(publicKey);
}

export function identityOf({ secretKey }: KeyPair): AgeIdentity {
  return parseIdentities(secretKey);
}

export async function* streamOf(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(stream));
}

export async function encryptBytes(content: Uint8Array, recipient: Recipient): Promise<Uint8Array> {
  return await bytesOf((await beginEncryption(recipient)).encrypt(streamOf(content)));
}

export async function decryptBytes(file: Uint8Array, identity: AgeIdentity): Promise<Uint8Array> {
  return await bytesOf(decrypt(streamOf(file), identity));
}

/** The error's message; null if the file is decrypted. */
export async function refusalOf(file: Uint8Array, identity: AgeIdentity): Promise<string | null> {
  try {
    await decryptBytes(file, identity);
    return null;
  } catch (error) {
    if (error instanceof AgeError) return error.message;
    throw error;
  }
}

/** File key of handwritten files. */
export const FILE_KEY = Buffer.from("yellow submarine");

/** The default content of test files. */
export const CONTENT = Buffer.from("A small backup");

/**
 * A file with any header, written from the format's description alone.
 *
 * @param header Lines up to the last mark `---`, which the code covers.
 * @param blocks Any lengths; the last one is marked.
 */
export function fileWith(header: string, blocks: readonly Uint8Array[] = [CONTENT]): Uint8Array {
  const key = Buffer.from(hkdfSync("sha256", FILE_KEY, "", "header", 32));
  const code = unpadded(createHmac("sha256", key).update(header, "latin1").digest());
  return Buffer.concat([Buffer.from(`${header} ${code}\n`, "latin1"), payload(blocks)]);
}

export function passphraseStanza(passphrase: string, workFactor: number): string {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync(
    passphrase,
    Buffer.concat([Buffer.from("age-encryption.org/v1/scrypt"), salt]),
    32,
    { N: 2 ** workFactor, r: 8, p: 1, maxmem: 2 ** 28 },
  );
  const body = unpadded(sealed(key, Buffer.alloc(12), FILE_KEY));
  return `-> scrypt ${unpadded(salt)} ${workFactor}\n${body}`;
}

export function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

function payload(blocks: readonly Uint8Array[]): Uint8Array {
  const nonce = Buffer.alloc(16, 9);
  const key = Buffer.from(hkdfSync("sha256", FILE_KEY, nonce, "payload", 32));
  const sealedBlocks = blocks.map((block, index) => {
    const isLast = index === blocks.length - 1;
    return sealed(key, Buffer.from([...Array(10).fill(0), index, isLast ? 1 : 0]), block);
  });
  return Buffer.concat([nonce, ...sealedBlocks]);
}

function sealed(key: Uint8Array, nonce: Uint8Array, text: Uint8Array): Uint8Array {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

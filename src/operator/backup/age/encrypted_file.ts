/**
 * Files in the format of age, version 1 (https://c2sp.org/age), as the program `age` reads and
 * writes them: a header with the file's key for its recipients, and the content encrypted with that
 * key. Files of any length need the memory of a few blocks.
 */

import { AgeError } from "./age_error.ts";
import { ARMOR_MARK_BYTES, isArmored, withoutArmor } from "./armor.ts";
import { ByteReader } from "./byte_reader.ts";
import { type Header, isHeaderOf, readHeader, VERSION_LINE, writeHeader } from "./header.ts";
import { PASSPHRASE_TYPE } from "./passphrase.ts";
import { openPayload, sealPayload } from "./payload.ts";
import { type AgeIdentity, FILE_KEY_BYTES, type Recipient } from "./stanza.ts";

export interface Encryption {
  /** Opens this one file for its writer, who lacks the recipient's key. */
  readonly identity: AgeIdentity;
  /** May be called again from the start if a draft is discarded. */
  encrypt(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

export async function beginEncryption(recipient: Recipient): Promise<Encryption> {
  const fileKey = crypto.getRandomValues(new Uint8Array(FILE_KEY_BYTES));
  const header = writeHeader(await recipient.wrap(fileKey), fileKey);
  return {
    identity: { unwrap: () => Promise.resolve(fileKey) },
    async *encrypt(content) {
      yield header;
      yield* sealPayload(fileKey, content);
    },
  };
}

/**
 * Decrypts a file in the binary or in the text form.
 *
 * @throws AgeError if the identity cannot decrypt the file, or it is incomplete or changed. Bytes
 *   returned before may then be the beginning of a longer file.
 */
export async function* decrypt(
  file: AsyncIterable<Uint8Array>,
  identity: AgeIdentity,
): AsyncGenerator<Uint8Array> {
  await using reader = new ByteReader(withoutArmor(file));
  const header = await readHeader(reader);
  yield* openPayload(await readFileKey(header, identity), reader);
}

/** Whether a file that begins with these bytes is encrypted. */
export function isEncrypted(beginning: Uint8Array): boolean {
  const mark = new TextEncoder().encode(VERSION_LINE);
  return isArmored(beginning) || mark.every((byte, index) => beginning[index] === byte);
}

/** Number of bytes that `isEncrypted` needs. */
export const MARK_BYTES: number = ARMOR_MARK_BYTES;

async function readFileKey(header: Header, identity: AgeIdentity): Promise<Uint8Array> {
  const { stanzas } = header;
  if (stanzas.length > 1 && stanzas.some(({ type }) => type === PASSPHRASE_TYPE)) {
    throw new AgeError("The file's header is damaged");
  }
  const fileKey = await identity.unwrap(stanzas);
  if (fileKey === null) throw new AgeError("The file is encrypted with another key");
  if (!isHeaderOf(header, fileKey)) throw new AgeError("The file's header is damaged");
  return fileKey;
}

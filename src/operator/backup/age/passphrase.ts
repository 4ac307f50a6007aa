/** Files that a passphrase opens: scrypt stanzas. */

import { Buffer } from "node:buffer";
import { scrypt } from "node:crypto";
import { AgeError } from "./age_error.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import {
  type AgeIdentity,
  isWrappedKey,
  type Recipient,
  type Stanza,
  unwrapFileKey,
  wrapFileKey,
} from "./stanza.ts";

/** The type of the stanza, which must be the only one of a file. */
export const PASSPHRASE_TYPE = "scrypt";

const PURPOSE = "age-encryption.org/v1/scrypt";
const SALT_BYTES = 16;
const BLOCK_SIZE = 8;
/** Log2 of the work for our files: 256 MiB and a second or two. */
const WORK_FACTOR = 18;
/** Maximum log2 of the work for files of other programs: 4 GiB and half a minute. */
const MAX_WORK_FACTOR = 22;

export function passphraseRecipient(passphrase: string): Recipient {
  return {
    async wrap(fileKey) {
      const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
      const body = wrapFileKey(await stretch(passphrase, salt, WORK_FACTOR), fileKey);
      return [{ type: PASSPHRASE_TYPE, args: [encodeBase64(salt), String(WORK_FACTOR)], body }];
    },
  };
}

export function passphraseIdentity(passphrase: string): AgeIdentity {
  return {
    async unwrap(stanzas) {
      const stanza = stanzas.find(({ type }) => type === PASSPHRASE_TYPE);
      if (stanza === undefined) return null;
      const { salt, workFactor } = readArguments(stanza);
      return unwrapFileKey(await stretch(passphrase, salt, workFactor), stanza.body);
    },
  };
}

function readArguments(
  { args, body }: Stanza,
): { readonly salt: Uint8Array; readonly workFactor: number } {
  const [text = "", factor = "", ...others] = args;
  const salt = decodeBase64(text);
  const isWellFormed = salt?.length === SALT_BYTES && /^[1-9]\d*$/.test(factor);
  if (!isWellFormed || others.length > 0 || !isWrappedKey(body)) {
    throw new AgeError("The file's header is damaged");
  }
  const workFactor = Number(factor);
  if (workFactor > MAX_WORK_FACTOR) {
    throw new AgeError(
      `The file's passphrase requires more work than allowed (2^${MAX_WORK_FACTOR})`,
    );
  }
  return { salt, workFactor };
}

async function stretch(
  passphrase: string,
  salt: Uint8Array,
  workFactor: number,
): Promise<Uint8Array> {
  const N = 2 ** workFactor;
  // Allows twice the memory that the work needs.
  const options = { N, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * BLOCK_SIZE * N };
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  scrypt(passphrase, Buffer.concat([Buffer.from(PURPOSE), salt]), 32, options, (error, key) => {
    if (error === null) resolve(key);
    else reject(error);
  });
  return await promise;
}

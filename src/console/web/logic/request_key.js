/** The Idempotency-Key of a request: the same request has the same one, and another request never does. */

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/**
 * @param {string} seed Of the form or button, which no other one has.
 * @param {{ method: string, path: string, body?: unknown }} request
 */
export function requestKey(seed, { method, path, body }) {
  return `${seed}-${digest(JSON.stringify([method, path, body]))}`;
}

/**
 * 64 bits of a text's digest (FNV-1a). The browser's own digests are missing if the page came over plain
 * HTTP.
 *
 * @param {string} text
 */
function digest(text) {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}

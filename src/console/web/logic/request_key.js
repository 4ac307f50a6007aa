/** Derives the Idempotency-Key: equal requests have equal keys. */

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/**
 * @param {string} seed Unique to the form or button.
 * @param {{ method: string, path: string, body?: unknown }} request
 */
export function requestKey(seed, { method, path, body }) {
  return `${seed}-${digest(JSON.stringify([method, path, body]))}`;
}

/**
 * FNV-1a, 64 bits. The browser's digests are missing on plain HTTP.
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

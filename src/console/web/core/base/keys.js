/** Idempotency keys. */

export function newKey() {
  // `randomUUID` is missing on plain HTTP from another machine.
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The Idempotency-Key: equal requests have equal keys.
 * @param {string} seed Unique to the form or button.
 * @param {{ method: string, path: string, body?: unknown }} request
 */
export function requestKey(seed, { method, path, body }) {
  return `${seed}-${digest(JSON.stringify([method, path, body]))}`;
}

/** FNV-1a, 64 bits. The browser's digests are missing on plain HTTP. @param {string} text */
function digest(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** Downloads that are compared with the service's digest. */

import { ApiError, toError } from "./base.js";

/**
 * Larger files go straight to disk, and the person compares the digest. Insecure origins have no
 * digest functions.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/** @param {number} size In bytes. */
export function canCheck(size) {
  return size <= MAX_BYTES && crypto.subtle !== undefined;
}

/**
 * @param {string} path
 * @param {{ size: number, mediaType: string }} file
 * @param {(part: number) => void} progress Called with the received part, from 0 to 1.
 * @throws {ApiError}
 */
export async function readFile(path, { size, mediaType }, progress) {
  const response = await fetch(path, { credentials: "same-origin", redirect: "error" })
    .catch(() => null);
  if (response === null) throw new ApiError("NETWORK_ERROR");
  if (!response.ok || response.body === null) {
    throw toError(response, await response.json().catch(() => null));
  }
  const parts = [];
  let received = 0;
  const reader = response.body.getReader();
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw new ApiError("NETWORK_ERROR");
    });
    if (done) return new Blob(parts, { type: mediaType });
    parts.push(value);
    received += value.length;
    progress(received / size);
  }
}

/** @param {Blob} blob @param {string} sha256 In hex. */
export async function isWhole(blob, sha256) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

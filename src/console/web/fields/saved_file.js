/** Files of the service that are compared with its digest, and saved. */

import { ApiError } from "../core/base/api.js";
import { h } from "../core/base/elements.js";
import { hex } from "../core/base/keys.js";
import { t } from "../core/base/language.js";
import { toError } from "../core/base/sender.js";
import { sizeText } from "./shown/figures.js";

/** Larger files go straight to disk, and the person compares the digest. */
const MAX_BYTES = 64 * 1024 * 1024;

/** @param {number} size */
export function canCheck(size) {
  // Insecure origins have no digest functions.
  return size <= MAX_BYTES && crypto.subtle !== undefined;
}

/**
 * @param {string} path
 * @param {{ size: number, mediaType: string }} file
 * @param {(part: number) => void} progress
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

/** @param {Blob} blob @param {string} sha256 */
export async function isWhole(blob, sha256) {
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return hex(new Uint8Array(digest)) === sha256;
}

/**
 * Offers a file for saving, if its digest is the service's.
 * @param {Blob} blob
 * @param {{ filename: string, sha256?: string | undefined }} file Not checked without a digest.
 */
export async function checkedFile(blob, { filename, sha256 }) {
  const { size } = blob;
  const isChecked = sha256 !== undefined && canCheck(size);
  if (isChecked && !await isWhole(blob, sha256)) {
    return h("p.refusal", { role: "alert" }, t("damaged"));
  }
  const href = URL.createObjectURL(blob);
  if (sha256 === undefined) return saveLink(href, filename, size);
  if (!isChecked) return uncheckedFile(href, { filename, sha256, size });
  return saveLink(href, filename, size, ` · ${t("verified")} · `, h("span.exact", sha256));
}

/** @param {string} href @param {{ filename: string, size: number, sha256: string }} file */
export function uncheckedFile(href, { filename, size, sha256 }) {
  return h(
    "div",
    saveLink(href, filename, size),
    h("p", t("checkYourself")),
    h("pre.exact", `echo "${sha256}  ${filename}" | sha256sum --check`),
  );
}

/** @param {string} href @param {string} filename @param {number} size @param {...Child} facts */
function saveLink(href, filename, size, ...facts) {
  return h(
    "p",
    h("a.main", { href, download: filename }, t("save", { filename })),
    h("span.quiet.small", ` ${sizeText(size)}`, ...facts),
  );
}

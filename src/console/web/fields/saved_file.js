/** A file to be saved: what was checked of it, or how to check it. */

import { isWhole } from "../core/checked_download.js";
import { h } from "../core/dom.js";
import { sizeText, t } from "../core/text.js";

/**
 * A file that this page holds: offered only where it is what the service says that it sent.
 *
 * @param {Blob} blob
 * @param {{ filename: string, sha256: string }} file
 */
export async function checkedFile(blob, { filename, sha256 }) {
  if (!await isWhole(blob, sha256)) {
    return h("p", { class: "refusal", role: "alert" }, t("damaged"));
  }
  const size = sizeText(blob.size);
  const href = URL.createObjectURL(blob);
  return h(
    "p",
    {},
    h("a", { class: "main", href, download: filename }, t("save", { filename })),
    h("span", { class: "quiet small" }, ` ${size} · ${t("verified")} · `),
    h("span", { class: "quiet small exact" }, sha256),
  );
}

/**
 * A file that goes to the disk as it comes.
 *
 * @param {string} path
 * @param {{ filename: string, size: number, sha256: string }} file
 */
export function uncheckedFile(path, { filename, size, sha256 }) {
  const text = sizeText(size);
  return h(
    "div",
    {},
    h("p", {}, h("a", { class: "main", href: path, download: filename }, t("save", { filename }))),
    h("p", {}, t("checkYourself", { size: text })),
    h("pre", { class: "exact" }, `echo "${sha256}  ${filename}" | sha256sum --check`),
  );
}

import { canCheck, isWhole } from "../core/checked_download.js";
import { h, t } from "../core/base.js";
import { sizeText } from "./shown.js";

/**
 * Offers a file for saving, if its digest is the service's.
 * @param {Blob} blob
 * @param {{ filename: string, sha256?: string | undefined }} file Not checked without a digest.
 */
export async function checkedFile(blob, { filename, sha256 }) {
  const isChecked = sha256 !== undefined && canCheck(blob.size);
  if (isChecked && !await isWhole(blob, sha256)) {
    return h("p.refusal", { role: "alert" }, t("damaged"));
  }
  const href = URL.createObjectURL(blob);
  const { size } = blob;
  if (sha256 === undefined) return saveLink(href, filename, size);
  if (!isChecked) return uncheckedFile(href, { filename, sha256, size });
  return saveLink(
    href,
    filename,
    size,
    ` · ${t("verified")} · `,
    h("span.exact", sha256),
  );
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

/**
 * @param {string} href
 * @param {string} filename
 * @param {number} size In bytes.
 * @param {...Child} facts
 */
function saveLink(href, filename, size, ...facts) {
  return h(
    "p",
    h("a.main", { href, download: filename }, t("save", { filename })),
    h("span.quiet.small", ` ${sizeText(size)}`, ...facts),
  );
}

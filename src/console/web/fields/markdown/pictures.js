/** Pictures in a person's text. A file that is not a picture is a link. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get, readOrNull } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { thisVisit } from "../../core/base/visits.js";
import { contentPath, FILES_API, isPicture } from "../shown/files.js";
import { fileLink } from "./places.js";

/** The newest attachments, read once in each visit. @type {Promise<Data> | null} */
let newest = null;

/**
 * Null if there is none. The list answers for most, so that no request fails because of a text
 * that names a missing file.
 * @param {string} id
 * @returns {Promise<FileName | null>}
 */
async function fileOf(id) {
  if (newest === null) {
    newest = get(`${FILES_API}?limit=100`);
    thisVisit().addEventListener("abort", () => newest = null, { once: true });
  }
  const { items, nextCursor } = await newest;
  const found = items.find(({ attachmentId }) => attachmentId === id);
  const isListed = nextCursor === null || id > items.at(-1).attachmentId;
  return found ?? (isListed ? null : await readOrNull(`${FILES_API}/${id}`));
}

/** A link until the file is known to be a picture. @param {string} file @param {string} text */
export function placedPicture(file, text) {
  const place = h("span", fileLink(file, [text || t("download")]));
  const show = async () => {
    const found = await fileOf(file);
    if (found === null) return fill(place, h("span.quiet", `${text} (${t("notThere")})`.trim()));
    const link = fileLink(file, [text || found.filename]);
    const onerror = () => fill(place, link);
    const about = { src: contentPath(file), alt: text || found.filename, loading: "lazy", onerror };
    fill(place, isPicture(found) ? h("img", about) : link);
  };
  // The link works without its name.
  if (may("attachment.read")) void show().catch(() => {});
  return place;
}

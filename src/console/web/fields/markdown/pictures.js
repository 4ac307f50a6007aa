/** Pictures in a person's text. A file that is not a picture is a link. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { fileOf, isPicture } from "../shown/files.js";
import { fileLink } from "./places.js";

/** A link until the file is known to be a picture. @param {string} file @param {string} text */
export function placedPicture(file, text) {
  const about = { "data-file": file, "data-text": text };
  return h("span", about, fileLink(file, [text || t("download")]));
}

/** Shows the pictures of a drawn text. The links work without them. @param {Element} drawn */
export function showPictures(drawn) {
  const places = [...drawn.querySelectorAll("span")].filter(({ dataset }) => dataset.file);
  if (places.length > 0 && may("attachment.read")) void showIn(places).catch(() => {});
}

/** @param {readonly HTMLElement[]} places */
async function showIn(places) {
  const files = await Promise.all(places.map(({ dataset: { file = "" } }) => fileOf(file)));
  const placed = places.flatMap((place, index) => {
    const file = files[index] ?? null;
    const { text = "" } = place.dataset;
    if (file === null) fill(place, h("span.quiet", `${text} (${t("notThere")})`.trim()));
    else fill(place, fileLink(file.attachmentId, [text || file.filename]));
    return file !== null && isPicture(file) ? [{ place, file, text }] : [];
  });
  if (placed.length > 0) (await import("../pictures/places.js")).showInText(placed);
}

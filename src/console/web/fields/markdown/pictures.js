/** Pictures in a person's text. A file that is not a picture is a link. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { contentPath, fileOf, isPicture } from "../shown/files.js";
import { fileLink } from "./places.js";

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

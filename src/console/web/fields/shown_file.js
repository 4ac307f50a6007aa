/** Uploaded files: links or pictures. */

import { send } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { t } from "../core/text.js";

const API = "/api/v2/attachments";
/** The height of a picture in pixels. */
const HEIGHT = 128;

const remove = (/** @type {Event} */ { currentTarget }) =>
  /** @type {Element} */ (currentTarget).remove();

/** @param {string} id Its name is requested. */
export function shownFile(id) {
  const file = { attachmentId: id, filename: t("download"), mediaType: "" };
  const place = h("span", {}, fileParts(file));
  // The link works without its name.
  send("GET", `${API}/${encodeURIComponent(id)}`)
    .then(({ data }) => {
      const hadFocus = place.contains(document.activeElement);
      fill(place, fileParts(data));
      if (hadFocus) place.querySelector("a")?.focus();
    })
    .catch(() => {});
  return place;
}

/**
 * @param {{ attachmentId: string, filename: string, mediaType: string }} file
 * @returns {HTMLElement[]}
 */
export function fileParts({ attachmentId, filename, mediaType }) {
  const content = `${API}/${encodeURIComponent(attachmentId)}/content`;
  const link = h("a", { href: content, download: true, class: "words" }, filename);
  if (!mediaType.startsWith("image/")) return [link];
  // Scripts in pictures do not run. A broken picture leaves its link.
  const shown = { src: content, alt: "", loading: "lazy", height: HEIGHT };
  const picture = h("img", { ...shown, onerror: remove });
  return [picture, link];
}

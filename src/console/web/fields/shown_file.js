/** Uploaded files: each a link with its name, or a picture. */

import { send } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { t } from "../core/text.js";

const API = "/api/v2/attachments";
/** How high a picture is shown, in pixels. */
const HEIGHT = 128;

const remove = (/** @type {Event} */ { currentTarget }) =>
  /** @type {Element} */ (currentTarget).remove();

/** @param {string} id The file's id; its name is requested. */
export function shownFile(id) {
  const file = { attachmentId: id, filename: t("download"), mediaType: "" };
  const place = h("span", {}, fileParts(file));
  // Without its name it can be had all the same.
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
  // A script inside a picture does not run. One that the browser cannot draw leaves its link.
  const shown = { src: content, alt: "", loading: "lazy", height: HEIGHT };
  const picture = h("img", { ...shown, onerror: remove });
  return [picture, link];
}

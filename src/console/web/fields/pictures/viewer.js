/** Pictures one by one, as large as the window. */

import { iconButton } from "../../core/acts/buttons.js";
import { fill, h, showDialog } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { contentPath, namedFile, thumbnailPath } from "../shown/files.js";
import { makeAtLook } from "./making.js";

/** Shorter moves of a finger are presses. */
const SWIPE = 40;

/**
 * @param {readonly FileName[]} pictures @param {number} start @param {string} title
 * @param {HTMLElement} opener Gets the focus at the end.
 */
export function openViewer(pictures, start, title, opener) {
  let index = start;
  const place = h("div.picture-place");
  const count = h("p", { role: "status" });
  const show = (/** @type {number} */ step) => {
    index = (index + step + pictures.length) % pictures.length;
    const file = pictures[index];
    if (file) fill(place, largePicture(file));
    count.textContent = t("pictureOf", { i: index + 1, n: pictures.length });
  };
  const close = () => dialog.close();
  const several = pictures.length > 1;
  const dialog = showDialog(
    {
      class: "viewer",
      "aria-label": t("picturesOf", { title }),
      onclose: () => opener.focus(),
    },
    place,
    h(
      "div.bar",
      several && iconButton("back", t("previousPicture"), () => show(-1)),
      count,
      several && iconButton("more", t("nextPicture"), () => show(1)),
      iconButton("close", t("close"), close),
    ),
  );
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft") show(-1);
    if (key === "ArrowRight") show(1);
  });
  onSwipe(dialog, show);
  show(0);
}

/** The small picture, until the original is loaded. @param {FileName} file */
function largePicture(file) {
  const { attachmentId, filename: alt, thumbnail } = file;
  const onload = () => {
    fill(place, original);
    makeAtLook(file, original);
  };
  const onerror = () => fill(place, h("div", h("p", t("cannotShow")), namedFile(file)));
  const original = h("img", { src: contentPath(attachmentId), alt, onload, onerror });
  const place = h(
    "div.large",
    thumbnail ? h("img.early", { src: thumbnailPath(attachmentId), alt }) : h("p", t("loading")),
  );
  return place;
}

/** @param {Element} element @param {(step: 1 | -1) => void} move */
function onSwipe(element, move) {
  /** The first touch of one finger; null while several touch. @type {Touch | null} */
  let start = null;
  element.addEventListener("touchstart", (event) => {
    const { touches } = /** @type {TouchEvent} */ (event);
    start = touches.length === 1 ? touches[0] ?? null : null;
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    const [end] = /** @type {TouchEvent} */ (event).changedTouches;
    // A finger moves along a picture that is zoomed.
    if (start === null || end === undefined || (visualViewport?.scale ?? 1) > 1) return;
    const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
    if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) move(x < 0 ? 1 : -1);
  });
}

/** Places for pictures: in the lines of lists, on pages and in texts. */

import { fill, h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import {
  contentPath,
  fileOf,
  fileParts,
  isPicture,
  isVeiling,
  thumbnailPath,
  veiled,
} from "../shown/files.js";
import { makeAtLook, whenMade } from "./making.js";
import { openViewer } from "./viewer.js";

/**
 * Shows the first picture in the place of a line; false if there is none.
 * @param {Element} place @param {readonly string[]} ids @param {string} title
 */
export async function showFirst(place, ids, title) {
  const pictures = await picturesOf(ids);
  const [first] = pictures;
  if (first === undefined) return false;
  const button = openingButton(pictures, 0, title);
  button.classList.add(...place.classList);
  drawSmall(button, first);
  place.replaceWith(button);
  return true;
}

/**
 * Shows a small picture instead of initials. The newest one has the greatest identifier.
 * @param {Element} disc @param {readonly string[]} ids
 */
export async function showNewest(disc, ids) {
  const [newest] = await picturesOf(ids.toSorted().reverse());
  if (newest === undefined) return;
  const initials = [...disc.childNodes];
  const show = (/** @type {FileName} */ file) =>
    fill(disc, smallImage(file, "", () => fill(disc, initials)));
  if (newest.thumbnail) show(newest);
  else whenMade(newest.attachmentId, show);
}

/**
 * Shows the first picture instead of initials on a person's page.
 * @param {Element} disc @param {readonly string[]} ids @param {string} title
 */
export async function showPortrait(disc, ids, title) {
  const pictures = await picturesOf(ids);
  const [first] = pictures;
  if (first === undefined) return;
  const button = openingButton(pictures, 0, title);
  button.classList.add(...disc.classList);
  button.append(smallOrOriginal(first, "", () => button.replaceWith(disc)));
  disc.replaceWith(button);
}

/**
 * Names files in the places of their links, and adds their pictures.
 * @param {readonly Element[]} places @param {readonly string[]} ids
 */
export async function showFiles(places, ids) {
  const files = await Promise.all(ids.map(fileOf));
  const shown = places.flatMap((place, index) => {
    const file = files[index] ?? null;
    if (file !== null) fill(place, fileParts(file));
    return file !== null && isPicture(file) ? [{ place, file }] : [];
  });
  const pictures = shown.map(({ file }) => file);
  for (const [index, { place, file }] of shown.entries()) {
    const button = openingButton(pictures, index, pageTitle());
    button.append(smallOrOriginal(file, "", () => button.remove()));
    place.prepend(isVeiling() ? veiled(file.filename, () => h("span", button)) : button);
  }
}

/**
 * Replaces the links to pictures in a text by the pictures: small ones if several stand together,
 * otherwise the original.
 * @param {readonly PlacedPicture[]} placed
 */
export function showInText(placed) {
  const pictures = placed.map(({ file }) => file);
  for (const [index, { place, file, text }] of placed.entries()) {
    const link = [...place.childNodes];
    const broken = () => fill(place, link);
    const button = openingButton(pictures, index, pageTitle());
    const draw = place.closest(".pictures") === null ? originalImage : smallOrOriginal;
    button.append(draw(file, text || file.filename, broken));
    fill(place, button);
  }
}

/** The heading of a page names the viewer of its pictures. */
function pageTitle() {
  return document.querySelector("h1")?.textContent ?? "";
}

/** @param {readonly string[]} ids */
async function picturesOf(ids) {
  const files = await Promise.all(ids.map(fileOf));
  return files.filter((file) => file !== null).filter(isPicture);
}

/** @param {readonly FileName[]} pictures @param {number} index @param {string} title */
function openingButton(pictures, index, title) {
  const onclick = () => {
    openViewer(pictures, index, title, button);
  };
  const about = { i: index + 1, n: pictures.length };
  const button = h("button.picture", { "aria-label": t("openPicture", about), onclick });
  return button;
}

/** Shows the small picture; a sign until it is made, or if it is lost. @type {DrawSmall} */
function drawSmall(place, file) {
  const showSign = () => fill(place, icon("picture"));
  const show = (/** @type {FileName} */ made) => fill(place, smallImage(made, "", showSign));
  if (file.thumbnail) return show(file);
  showSign();
  whenMade(file.attachmentId, show);
}

/** @type {DrawPicture} */
function smallImage({ attachmentId, thumbnail }, alt, broken) {
  const { width, height } = thumbnail ?? {};
  const about = { src: thumbnailPath(attachmentId), alt, width, height, onerror: broken };
  return h("img", { ...about, loading: "lazy" });
}

/** @type {DrawPicture} */
function smallOrOriginal(file, alt, broken) {
  const original = () => originalImage(file, alt, broken);
  if (!file.thumbnail) return original();
  const small = smallImage(file, alt, () => small.replaceWith(original()));
  return small;
}

/** @type {DrawPicture} */
function originalImage(file, alt, broken) {
  const onload = () => {
    // Inside a button, an SVG that does not state its size would be invisible.
    if (picture.width === 0) picture.width = picture.naturalWidth;
    makeAtLook(file, picture);
  };
  const about = { src: contentPath(file.attachmentId), alt, onload, onerror: broken };
  const picture = h("img", { ...about, loading: "lazy" });
  return picture;
}

/** Places for pictures and files, which are read and drawn later. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { once } from "../../core/base/timing.js";
import { isVeiling, namedFile } from "./files.js";

/** The drawing of pictures, which few pages need. */
const loadPictures = once(() => import("../pictures/places.js"));

/**
 * The first picture of a line, small; none while the device veils words.
 * @param {readonly string[]} ids @param {string} title Names the viewer.
 * @param {Element | null} [instead] The anchor of a line without a picture.
 */
export function smallPicture(ids, title, instead = null) {
  if (ids.length === 0 || isVeiling() || !may("attachment.read")) return instead;
  const place = h("span.anchor.small-picture");
  loadPictures().then(({ showFirst }) => showFirst(place, ids, title)).catch(() => false)
    .then((isShown) => isShown || place.replaceWith(instead ?? ""));
  return place;
}

/**
 * Shows a picture of a person instead of the initials: the newest one, small, or with a title the
 * first one, which opens the viewer.
 * @param {Element} disc @param {readonly string[]} ids @param {string} [title]
 */
export function showFace(disc, ids, title) {
  if (ids.length === 0 || isVeiling() || !may("attachment.read")) return;
  loadPictures().then(({ showNewest, showPortrait }) =>
    title === undefined ? showNewest(disc, ids) : showPortrait(disc, ids, title)
  ).catch(() => {});
}

/**
 * Links to files, with their names and pictures once these are read.
 * @param {readonly string[]} ids
 */
export function shownFiles(ids) {
  const places = ids.map((id) =>
    h("span.file", namedFile({ attachmentId: id, filename: t("download") }))
  );
  // The links work without their names.
  if (may("attachment.read")) {
    loadPictures().then(({ showFiles }) => showFiles(places, ids)).catch(() => {});
  }
  return places;
}

/** The figure of the places. */

import { readFigure } from "../core/charts/figure.js";
import { drawingOf, tableOf } from "../core/charts/pictures.js";
import { placesLayout } from "../core/life_charts/places.js";
import { followChanges } from "../core/base/changes.js";
import { h, link } from "../core/base/elements.js";
import { loadArea, numberText, t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { recordPath } from "../core/names.js";
import { counted } from "../fields/shown/figures.js";
import { isVeiling, veiled } from "../fields/shown/files.js";

/** The most that the service lists in one answer. */
const MAX_READ = 100;

/** Returns a function of the figure, which reads the places by pages, apart from the list. */
export async function placesFigure() {
  await loadArea("life");
  const title = t("places");
  /** @type {any[]} */
  const read = [];
  let isEmpty = false;
  const { element, show, focus } = readFigure({
    title,
    kind: "place",
    read(/** @type {string | null} */ cursor) {
      const asked = { limit: String(MAX_READ), sort: "-time", ...(cursor !== null && { cursor }) };
      return get(`/api/v2/records/place?${new URLSearchParams(asked)}`);
    },
    /** @param {Data} page @returns {readonly Child[]} */
    content({ items, nextCursor }, /** @type {string | null} */ cursor) {
      if (cursor === null) read.length = 0;
      read.push(...items);
      isEmpty = read.length === 0;
      element.hidden = isEmpty;
      const onclick = () => {
        focus();
        void show(nextCursor);
      };
      const more = [
        h("p.small.quiet", t("placesFirst", { count: numberText(read.length) })),
        h("p", h("button", { onclick }, t("placesMore"))),
      ];
      return [...contentOf(title, read), ...nextCursor === null ? [] : more];
    },
  });
  followChanges("/api/v2/records/place", element, () => show(null));
  // It does not appear before it is known that there are places.
  element.hidden = true;
  void show(null).then(() => element.hidden = isEmpty);
  return () => element;
}

/** @param {string} title @param {readonly any[]} records */
function contentOf(title, records) {
  const points = records.filter(({ payload }) => payload?.latitude !== undefined)
    .map(({ recordId, title, payload: { latitude, longitude } }) => ({
      recordId,
      name: title,
      latitude,
      longitude,
    }));
  const without = records.length - points.length;
  const sentence = h(
    "p",
    counted(points.length, points.length === 0 ? "placesFew" : "placesText"),
    without > 0 && ` ${counted(without, "placesWithout")}`,
  );
  if (points.length === 0) return [sentence];
  const texts = {
    latitude: (/** @type {number} */ value) => degreesText(value, value < 0 ? "south" : "north"),
    longitude: (/** @type {number} */ value) => degreesText(value, value < 0 ? "west" : "east"),
  };
  const rows = points.map(({ recordId, name, latitude, longitude }) => [
    link(recordPath("place", recordId), name, "words"),
    texts.latitude(latitude),
    texts.longitude(longitude),
  ]);
  const make = () =>
    h(
      "div",
      drawingOf(title, (width) => placesLayout(points, width, texts)),
      tableOf(title, [t("nameOf"), t("latitude"), t("longitude")], rows),
    );
  // Coordinates are sensitive.
  return [sentence, isVeiling() ? veiled(title, make) : make()];
}

/** @param {number} value @param {"north" | "south" | "east" | "west"} side */
function degreesText(value, side) {
  return t(side, { degrees: numberText(Math.abs(value)) });
}

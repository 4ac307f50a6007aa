/** Layout of places on a graticule: parallels and meridians, without a map of others. */

import { extent, scale, ticksWithin } from "../charts/scales.js";
import { cutTo, dot, hairline, LETTER, LINE, words } from "../charts/shapes.js";

const GROUP = 8;

const MIN_HEIGHT = 160;

const MAX_HEIGHT = 320;

/** On a phone the list stays in sight. */
const MAX_SHARE = 0.6;

/** Room around the points; left of them stand the latitudes. */
const EDGE = 24;

const LEFT_EDGE = 7 * LETTER.width + GROUP;

/** In degrees: about two kilometres, around a single point. */
const MIN_SPAN = 0.02;

/** Near the poles a degree of longitude has no width. */
const MIN_COSINE = 0.2;

/** Points that are closer than two dots are drawn as one. */
const NEAR = 18;

const POINT = 5;

const MAX_NAME = 16;

const MAX_LINES = 3;

/**
 * @param {readonly PlacePoint[]} points At least one.
 * @param {number} width
 * @param {GraticuleTexts} texts
 * @returns {ChartLayout}
 */
export function placesLayout(points, width, texts) {
  const { height, across, up, longitudes, latitudes, placed } = fitted(points, width);
  const meridians = ticksWithin(longitudes, Math.min(MAX_LINES, Math.floor(width / 110)));
  const parallels = ticksWithin(latitudes, MAX_LINES);
  const degrees = [
    ...meridians.map((longitude) => {
      const text = texts.longitude(around(longitude));
      const half = text.length * LETTER.width / 2;
      const x = Math.min(Math.max(across(longitude), half), width - half);
      return words(x, height + LINE - 4, text, "middle");
    }),
    ...parallels.map((latitude) => {
      const y = up(latitude);
      return words(0, y < LINE ? y + LETTER.size : y - 3, texts.latitude(latitude));
    }),
  ];
  const places = clustersOf(placed);
  return {
    height: height + LINE,
    shapes: [
      ground(width, height),
      ...meridians.map(across).map((x) => hairline(x, 0, x, height)),
      ...parallels.map(up).map((y) => hairline(0, y, width, y)),
      ...degrees,
      ...places.map(({ at: [x, y], names }) =>
        dot(x, y, names.length > 1 ? GROUP : POINT, names.join(" · "))
      ),
      ...namesOf(places, width),
    ],
  };
}

/** @param {number} width @param {number} height @returns {ChartShape} */
function ground(width, height) {
  return { tag: "rect", attributes: { x: 0, y: 0, width, height, class: "ground" } };
}

/**
 * An equirectangular map around all points, as wide as the picture: a kilometre is as long across
 * as up, at the middle latitude. Longitudes may exceed 180, to be neighbours across the date line.
 * @param {readonly PlacePoint[]} points @param {number} width
 */
function fitted(points, width) {
  const [south, north] = extent(points.map(({ latitude }) => latitude));
  const west = westernmost(points.map(({ longitude }) => longitude));
  const east = (/** @type {number} */ longitude) => west + (longitude - west + 360) % 360;
  const end = Math.max(...points.map(({ longitude }) => east(longitude)));
  const middle = /** @type {const} */ ([(west + end) / 2, (south + north) / 2]);
  const cosine = Math.max(MIN_COSINE, Math.cos(middle[1] * Math.PI / 180));
  const rise = Math.max(MIN_SPAN, north - south);
  const most = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, width * MAX_SHARE));
  const inner = width - LEFT_EDGE - EDGE;
  // Pixels a degree of latitude; at least the whole earth across.
  const size = Math.max(
    Math.min(
      inner / (Math.max(MIN_SPAN, end - west) * cosine),
      (most - 2 * EDGE) / rise,
    ),
    inner / (360 * cosine),
  );
  const height = Math.max(MIN_HEIGHT, rise * size + 2 * EDGE);
  const degree = size * cosine;
  /** @type {Pair} */
  const longitudes = [
    middle[0] - (inner / 2 + LEFT_EDGE) / degree,
    middle[0] + (inner / 2 + EDGE) / degree,
  ];
  /** @type {Pair} */
  const latitudes = [middle[1] - height / 2 / size, middle[1] + height / 2 / size];
  const across = scale(longitudes, [0, width]);
  const up = scale(latitudes, [height, 0]);
  /** @type {Pair} */
  const onEarth = [Math.max(-90, latitudes[0]), Math.min(90, latitudes[1])];
  const placed = points.map(({ name, latitude, longitude }) => ({
    name,
    at: /** @type {Pair} */ ([across(east(longitude)), up(latitude)]),
  }));
  return { height, across, up, longitudes, latitudes: onEarth, placed };
}

/** The longitude east of the widest gap. @param {readonly number[]} longitudes */
function westernmost(longitudes) {
  const sorted = longitudes.toSorted((a, b) => a - b);
  const [first = 0] = sorted;
  const gaps = sorted.map((longitude, index) => ({
    after: sorted[index + 1] ?? first,
    size: (sorted[index + 1] ?? first + 360) - longitude,
  }));
  return gaps.reduce((widest, gap) => gap.size > widest.size ? gap : widest).after;
}

/** Above -180, up to 180. @param {number} longitude */
function around(longitude) {
  return 180 - ((180 - longitude) % 360 + 360) % 360;
}

/** @param {readonly { name: string, at: Pair }[]} points */
function clustersOf(points) {
  /** @type {{ at: Pair, names: string[] }[]} */
  const clusters = [];
  for (const { at, name } of points) {
    const near = clusters.find((cluster) =>
      Math.hypot(cluster.at[0] - at[0], cluster.at[1] - at[1]) < NEAR
    );
    if (near === undefined) clusters.push({ at, names: [name] });
    else near.names.push(name);
  }
  return clusters;
}

/**
 * The names, or the counts, next to their dots. A name that would cover a dot, another name or a
 * latitude is only in the table.
 * @param {readonly { at: Pair, names: readonly string[] }[]} places
 * @param {number} width
 */
function namesOf(places, width) {
  const taken = places.map(({ at: [x, y] }) => ({ left: x - GROUP, right: x + GROUP, y }));
  return places.flatMap(({ at: [x, y], names: [name = "", ...others] }) => {
    const isGroup = others.length > 0;
    const text = isGroup ? String(others.length + 1) : cutTo(name, MAX_NAME * LETTER.width);
    const size = text.length * LETTER.width;
    const away = (isGroup ? GROUP : POINT) + 4;
    const isLeft = x + away + size > width;
    const left = isLeft ? x - away - size : x + away;
    const isFree = left > LEFT_EDGE - GROUP &&
      taken.every((other) =>
        other.right <= left || other.left >= left + size || Math.abs(other.y - y) >= LINE
      );
    if (!isFree && !isGroup) return [];
    taken.push({ left, right: left + size, y });
    return [
      words(isLeft ? left + size : left, y + LETTER.size / 3, text, isLeft ? "end" : "start"),
    ];
  });
}

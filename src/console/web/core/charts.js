/** Charts: layouts, as plain shapes in CSS pixels, and pictures with their tables. */

import { h, numberText, t } from "./base.js";
import { label } from "./names.js";
import { dayText, shareText, timeText } from "../fields/shown.js";
import { instantOf } from "../logic/local_time.js";

/** Maps a domain to a range. @type {(domain: Pair, range: Pair) => (value: number) => number} */
export function scale([from, to], [start, end]) {
  const size = to - from;
  return (value) => size === 0 ? (start + end) / 2 : start + (value - from) / size * (end - start);
}

/** Least and greatest. @type {(values: readonly number[]) => Pair} */
function extent(values) {
  return [Math.min(...values), Math.max(...values)];
}

/**
 * At least two round, equidistant values that enclose all.
 * @param {readonly number[]} values @param {number} most
 */
export function ticks(values, most) {
  const [low, high] = extent(values);
  const size = high - low || Math.abs(high) || 1;
  for (let step = roundStep(size / most);; step = roundStep(step * 1.5)) {
    const first = Math.floor(low / step);
    const last = Math.max(Math.ceil(high / step), first + 1);
    if (last - first > most && most > 1) continue;
    // Multiplied, not summed, and rounded: avoids floating-point digits.
    const tidy = (/** @type {number} */ value) => Number(value.toPrecision(15));
    return Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
  }
}

/** 1, 2 or 5 times a power of ten, not below `size`. @param {number} size */
function roundStep(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return power * ([1, 2, 5].find((factor) => size <= factor * power) ?? 10);
}

const DAY_MS = 86_400_000;
/** Longer steps follow the calendar's months and years. */
const DAY_STEPS = [1, 2, 7, 14];
const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1_200];

/**
 * Starts of the device's days, months or years within a period, in milliseconds since 1970.
 * @param {number} from @param {number} to @param {number} most
 */
export function timeTicks(from, to, most) {
  const days = (to - from) / DAY_MS;
  const dayStep = DAY_STEPS.find((step) => days / step < most);
  if (dayStep !== undefined) {
    return beginnings(from, to, (day) => day.setDate(day.getDate() + dayStep));
  }
  const months = days / 30;
  const step = MONTH_STEPS.find((each) => months / each < most) ?? 12_000;
  const first = new Date(from);
  const month = first.getFullYear() * 12 + first.getMonth();
  first.setFullYear(0, Math.floor(month / step) * step, 1);
  return beginnings(from, to, (day) => day.setMonth(day.getMonth() + step), first);
}

/** @param {number} from @param {number} to @param {(day: Date) => void} advance */
function beginnings(from, to, advance, day = new Date(from)) {
  const times = [];
  for (day.setHours(0, 0, 0, 0); day.getTime() <= to; advance(day)) {
    if (day.getTime() >= from) times.push(day.getTime());
  }
  return times;
}

/** Font size and mean letter width. */
export const LETTER = { size: 13, width: 8.5 };
const LINE = 18;

/** @type {(x: number, y: number, text: string, anchor?: Anchor) => ChartShape} */
function words(x, y, text, anchor = "start") {
  const look = { class: "quiet", fill: "currentColor", "font-size": LETTER.size };
  return { tag: "text", attributes: { x, y, ...look, "text-anchor": anchor }, text };
}

/**
 * May be faint: carries no information.
 * @type {(x1: number, y1: number, x2: number, y2: number) => ChartShape}
 */
function hairline(x1, y1, x2, y2) {
  const look = { class: "quiet", stroke: "currentColor", "stroke-opacity": 0.3 };
  return { tag: "line", attributes: { x1, y1, x2, y2, ...look } };
}

/** @type {(cx: number, cy: number, r: number, text: string) => ChartShape} */
function dot(cx, cy, r, text) {
  return { tag: "circle", attributes: { cx, cy, r, class: "accent", fill: "currentColor" }, text };
}

/** @type {(x: number, y: number, width: number, height: number, text: string) => ChartShape} */
function block(x, y, width, height, text) {
  const place = { x, y, width, height };
  return { tag: "rect", attributes: { ...place, class: "accent", fill: "currentColor" }, text };
}

/** @type {(places: readonly Pair[], colour?: "accent" | "quiet") => ChartShape} */
function path(places, colour = "accent") {
  const points = places.map((place) => place.map((at) => at.toFixed(1)).join(",")).join(" ");
  const stroke = { stroke: "currentColor", "stroke-width": 1.5, fill: "none" };
  return { tag: "polyline", attributes: { points, class: colour, ...stroke } };
}

/** @type {(places: readonly Pair[], text: string) => ChartShape} */
function area(places, text) {
  const { tag, attributes } = path(places);
  return { tag, attributes: { ...attributes, fill: "currentColor", "fill-opacity": 0.25 }, text };
}

/** The table has the whole text. @param {string} text @param {number} width */
export function cutTo(text, width) {
  const letters = [...text.replaceAll(/\s+/g, " ")];
  const most = Math.max(1, Math.floor(width / LETTER.width));
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}

const THICK = 12;

/**
 * Horizontal bars, each under its name. The axis lines run behind the bars alone, so that they do
 * not cross the names.
 * @type {Layout<ChartBar>}
 */
export function rowLayout(bars, width, numberText) {
  const values = ticks([0, ...bars.map(({ value }) => value)], 4);
  const { x, labels } = rowAxis(values, width, numberText);
  const each = LINE + THICK + 10;
  const drawn = bars.flatMap(({ name, value, text }, index) => {
    const top = index * each + LINE;
    const [left = 0, right = 0] = [x(0), x(value)].toSorted((a, b) => a - b);
    return [
      words(0, top - LINE + LETTER.size, cutTo(name, width)),
      ...values.map((each) => hairline(x(each), top, x(each), top + THICK)),
      block(left, top, right - left, THICK, text),
    ];
  });
  const foot = bars.length * each + LINE - 6;
  return { height: foot + 4, shapes: [...drawn, ...labels(foot)] };
}

/**
 * An axis across, with margins for its outer labels.
 * @param {readonly number[]} values @param {number} width @param {NumberText} numberText
 */
function rowAxis(values, width, numberText) {
  const names = values.map(numberText);
  const margin = Math.max(...names.map(({ length }) => length)) * LETTER.width / 2 + 4;
  const x = scale(extent(values), [margin, width - margin]);
  const labels = (/** @type {number} */ foot) =>
    values.map((value, index) => words(x(value), foot, names[index] ?? "", "middle"));
  return { x, labels };
}

const LABEL_SPACE = 16;

/**
 * First and last day, and as many round days between as fit.
 * @param {Pair} span
 * @param {Pair} range
 * @param {(time: number) => number} place
 * @param {number} foot
 * @param {NumberText} dayText
 */
export function timeAxis([from, to], [start, end], place, foot, dayText) {
  if (from === to) return [words((start + end) / 2, foot, dayText(from), "middle")];
  /** @type {(time: number, x: number, anchor: Anchor) => ChartLabel} */
  const label = (time, x, anchor) => {
    const width = dayText(time).length * LETTER.width;
    const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
    return { left, right: left + width, shape: words(x, foot, dayText(time), anchor) };
  };
  const first = label(from, start, "start");
  const last = label(to, end, "end");
  const each = first.right - first.left + LABEL_SPACE;
  const between = timeTicks(from, to, Math.max(1, Math.floor((end - start) / each)))
    .map((time) => label(time, place(time), "middle"));
  return withoutCollisions([first, last, ...between]).map(({ shape }) => shape);
}

/** Omits labels that overlap earlier ones. @param {readonly ChartLabel[]} labels */
function withoutCollisions(labels) {
  /** @type {ChartLabel[]} */
  const kept = [];
  for (const one of labels) {
    const isClear = kept.every(({ left, right }) =>
      one.right + LABEL_SPACE <= left || right + LABEL_SPACE <= one.left
    );
    if (isClear) kept.push(one);
  }
  return kept;
}

const HEIGHT = 200;
const RADIUS = 3.5;

/** @type {Layout<ChartPoint, ChartTexts>} */
export function lineLayout(points, width, texts) {
  const inTime = points.toSorted((a, b) => a.time - b.time);
  const span = extent(points.map(({ time }) => time));
  const values = ticks(points.map(({ value }) => value), 4);
  const names = values.map(texts.number);
  const longest = Math.max(...names.map(({ length }) => length));
  const [start, end] = [longest * LETTER.width + 12 + RADIUS, width - RADIUS];
  const x = scale(span, [start, end]);
  const y = scale(extent(values), [HEIGHT, LETTER.size]);
  const axis = values.flatMap((value, index) => [
    hairline(start, y(value), end, y(value)),
    words(start - 8 - RADIUS, y(value) + LETTER.size / 3, names[index] ?? "", "end"),
  ]);
  return {
    height: HEIGHT + LINE + 4,
    shapes: [
      ...axis,
      ...timeAxis(span, [start, end], x, HEIGHT + LINE, texts.day),
      path(inTime.map(({ time, value }) => [x(time), y(value)])),
      ...inTime.map(({ time, value, text }) => dot(x(time), y(value), RADIUS, text)),
    ],
  };
}

const MOMENT_RADIUS = 5;
const PERIOD_THICK = 8;

/** A line per kind; a dot for a moment, a bar for a period. @type {Layout<TimelineEvent>} */
export function timelineLayout(events, width, dayText) {
  const lanes = [...Map.groupBy(events, ({ lane }) => lane)];
  const times = events.flatMap(({ from, to = from }) => [from, to]);
  const span = extent(times);
  /** @type {Pair} */
  const range = [MOMENT_RADIUS, width - MOMENT_RADIUS];
  const x = scale(span, range);
  const each = 2 * LINE + MOMENT_RADIUS;
  const shapes = lanes.flatMap(([lane, members], index) => {
    const middle = index * each + LINE + MOMENT_RADIUS + 4;
    const top = middle - PERIOD_THICK / 2;
    return [
      words(0, index * each + LETTER.size, cutTo(lane, width)),
      hairline(0, middle, width, middle),
      ...members.map(({ from, to, text }) =>
        to === undefined
          ? dot(x(from), middle, MOMENT_RADIUS, text)
          : block(x(from), top, Math.max(2, x(to) - x(from)), PERIOD_THICK, text)
      ),
    ];
  });
  const foot = lanes.length * each + LINE;
  return { height: foot + 4, shapes: [...shapes, ...timeAxis(span, range, x, foot, dayText)] };
}

const MAX_WIDTH = 400;
const MAX_RADIUS = 9;
const MIN_RADIUS = 4;

/**
 * @param {readonly ReliabilityGroup[]} groups
 * @param {number} width
 * @param {NumberText} shareText
 * @param {Record<"expected" | "observed", string>} names
 * @returns {ChartLayout}
 */
export function reliabilityLayout(groups, width, shareText, names) {
  const shares = [0, 0.25, 0.5, 0.75, 1];
  const start = 5 * LETTER.width + 8;
  const end = Math.min(width, MAX_WIDTH) - 3 * LETTER.width;
  const size = end - start;
  const top = LINE + MAX_RADIUS;
  const x = scale([0, 1], [start, end]);
  const y = scale([0, 1], [size + top, top]);
  const most = Math.max(1, ...groups.map(({ count }) => count));
  const axes = shares.flatMap((share) => [
    hairline(start, y(share), end, y(share)),
    hairline(x(share), y(0), x(share), y(1)),
    words(start - 8, y(share) + LETTER.size / 3, shareText(share), "end"),
    words(x(share), y(0) + LINE, shareText(share), "middle"),
  ]);
  const diagonal = hairline(x(0), y(0), x(1), y(1));
  const dots = groups.map(({ expected, observed, count, text }) => {
    // Area is proportional to count.
    const radius = Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(count / most));
    return dot(x(expected), y(observed), radius, text);
  });
  return {
    height: size + top + 2 * LINE + 4,
    shapes: [
      ...axes,
      words(0, LETTER.size, names.observed),
      words(end, y(0) + 2 * LINE, names.expected, "end"),
      { ...diagonal, attributes: { ...diagonal.attributes, "stroke-opacity": 1 } },
      ...dots,
    ],
  };
}

const CURVE = 44;
const GAP = 10;
const POINTS = 48;
/** The 5% and 95% quantiles of a normal distribution, in standard deviations. */
const QUANTILE = 1.645;
/** Half the width of a curve, in standard deviations. */
const REACH = 2.6;

/**
 * Distributions of options: each under its name, over the outlines of the others. The curves are
 * normal on each side of the middle, through the low and high values (5% and 95%).
 * @type {Layout<SpreadBar>}
 */
export function spreadLayout(spreads, width, numberText) {
  const ends = spreads.flatMap(({ low, high }) => [low, high]);
  const [low, high] = extent(ends);
  // A certain value is a narrow peak, which leaves the others visible.
  const least = (high - low) / 40 || Math.abs(low) / 100 || 0.01;
  const curves = spreads.map((spread) => curveOf(spread, least));
  const values = ticks(curves.flatMap(({ places }) => places.map(([value]) => value)), 4);
  const { x, labels } = rowAxis(values, width, numberText);
  const [left, right] = extent(values);
  const highest = Math.max(...curves.map(({ peak }) => peak));
  const each = LINE + CURVE + GAP;
  const rows = spreads.flatMap(({ name, middle, text }, index) => {
    const foot = index * each + LINE + CURVE;
    const drawn = curves.map(({ places }) =>
      places.map((
        [value, density],
      ) => /** @type {Pair} */ ([x(value), foot - density / highest * CURVE]))
    );
    return [
      words(0, index * each + LETTER.size, cutTo(name, width)),
      hairline(x(left), foot, x(right), foot),
      ...values.map((value) => hairline(x(value), foot - CURVE, x(value), foot)),
      area(drawn[index] ?? [], text),
      ...drawn.filter((_, other) => other !== index).map((places) => path(places, "quiet")),
      dot(x(middle), foot, 4, text),
    ];
  });
  const foot = spreads.length * each + LINE - GAP;
  return { height: foot + 4, shapes: [...rows, ...labels(foot)] };
}

/** @param {SpreadBar} spread @param {number} least */
function curveOf({ low, middle, high }, least) {
  const left = Math.max((middle - low) / QUANTILE, least);
  const right = Math.max((high - middle) / QUANTILE, least);
  // Both sides together have the area 1, but for a constant.
  const peak = 2 / (left + right);
  const places = Array.from({ length: POINTS + 1 }, (_, index) => {
    const at = (index / POINTS * 2 - 1) * REACH;
    const value = middle + at * (at < 0 ? left : right);
    return /** @type {Pair} */ ([value, peak * Math.exp(-at * at / 2)]);
  });
  return { places, peak };
}

const ATTRIBUTES = new Set(
  ("role aria-label viewBox class x y width height x1 y1 x2 y2 cx cy r d points fill fill-opacity " +
    "stroke stroke-width stroke-opacity text-anchor font-size shape-rendering").split(" "),
);
/** The width of a picture before that of the page is known. */
const FIRST_WIDTH = 320;
const SPACE = 8;

/**
 * A table below it repeats its data.
 * @param {string} title
 * @param {readonly string[]} columns
 * @param {readonly (readonly (string | number)[])[]} rows
 * @param {(width: number) => ChartLayout} draw Called again when the width changes.
 */
function picture(title, columns, rows, draw) {
  const cell = (/** @type {string | number} */ content) =>
    h("td", { class: /^[\p{N}\p{P}\p{S}]+$/u.test(String(content)) && "number" }, content);
  const drawing = svg("svg", { role: "img", "aria-label": title });
  let drawn = 0;
  const show = (/** @type {number} */ width) => {
    if (width === drawn || width <= 0) return;
    drawn = width;
    const { height, shapes } = draw(width);
    drawing.setAttribute("viewBox", `0 ${-SPACE} ${width} ${Math.ceil(height) + SPACE}`);
    drawing.replaceChildren(...shapes.map(elementOf));
  };
  show(FIRST_WIDTH);
  const figure = h(
    "figure",
    { "aria-label": title },
    h("figcaption", title),
    drawing,
    h(
      "details",
      h("summary", { "aria-label": `${t("asTable")}: ${title}` }, t("asTable")),
      h(
        "table",
        { "aria-label": title },
        h("thead", h("tr", columns.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", rows.map((cells) => h("tr", cells.map(cell)))),
      ),
    ),
  );
  new ResizeObserver(([entry]) => show(Math.floor(entry?.contentRect.width ?? 0))).observe(figure);
  return figure;
}

/** @param {ChartShape} shape */
function elementOf({ tag, attributes, text }) {
  const element = svg(tag, attributes);
  if (text === undefined) return element;
  if (tag === "text") element.append(text);
  else {
    const title = svg("title", {});
    title.append(text);
    element.append(title);
  }
  return element;
}

/** @param {ChartShape["tag"] | "svg" | "title" | "path"} tag @param {Attributes} attributes */
export function svg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!ATTRIBUTES.has(name)) throw new Error(`Pictures have no ${name}`);
    element.setAttribute(name, typeof value === "number" ? `${Number(value.toFixed(1))}` : value);
  }
  return element;
}

/**
 * The label of an instant: the local dates of the first and the last time, the device's between.
 * @param {readonly string[]} times
 * @returns {NumberText}
 */
export function axisDay(times) {
  const inTime = times.toSorted((a, b) => instantOf(a) - instantOf(b));
  const ends = [...inTime.slice(0, 1), ...inTime.slice(-1)];
  const texts = new Map(ends.map((time) => [instantOf(time), dayText(time)]));
  return (instant) => texts.get(instant) ?? dayText(instant);
}

/** @param {string} title @param {readonly { at: string, value: number }[]} points At least one. */
export function linePicture(title, points) {
  const inTime = points.map((point) => ({ ...point, time: instantOf(point.at) }))
    .toSorted((a, b) => a.time - b.time);
  const rows = inTime.map(({ at, value }) => [timeText(at), numberText(value)]);
  const labelled = withTexts(inTime, rows.map((row) => row.join(": ")));
  const texts = { number: numberText, day: axisDay(points.map(({ at }) => at)) };
  const columns = [t("pictureTime"), t("pictureValue")];
  return picture(title, columns, rows, (width) => lineLayout(labelled, width, texts));
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {readonly string[]} texts
 */
function withTexts(items, texts) {
  return items.map((item, index) => ({ ...item, text: texts[index] ?? "" }));
}

/** @param {string} title @param {readonly Omit<ChartBar, "text">[]} bars @param {BarTexts} about */
export function barPicture(title, bars, { columns, valueText = numberText }) {
  const rows = bars.map(({ name, value }) => [name, valueText(value)]);
  const labelled = withTexts(bars, rows.map((row) => row.join(": ")));
  return picture(title, columns, rows, (width) => rowLayout(labelled, width, valueText));
}

/**
 * @param {string} title
 * @param {readonly Omit<SpreadBar, "text">[]} spans
 * @param {readonly [string, string, string, string]} columns
 */
export function spreadPicture(title, spans, columns) {
  const rows = spans.map(({ name, low, middle, high }) => [
    name,
    ...[low, middle, high].map(numberText),
  ]);
  const texts = rows.map(([name, ...values]) => `${name}: ${values.join(" – ")}`);
  const labelled = withTexts(spans, texts);
  return picture(title, columns, rows, (width) => spreadLayout(labelled, width, numberText));
}

/**
 * @param {string} title
 * @param {readonly Omit<ReliabilityGroup, "text">[]} groups
 * @param {readonly [string, string, string]} columns
 */
export function reliabilityPicture(title, groups, columns) {
  const rows = groups.map(({ expected, observed, count }) => [
    shareText(expected),
    shareText(observed),
    count,
  ]);
  const labelled = withTexts(groups, rows.map((row) => row.join(" · ")));
  const [expected, observed] = columns;
  const draw = (/** @type {number} */ width) =>
    reliabilityLayout(labelled, width, shareText, { expected, observed });
  return picture(title, columns, rows, draw);
}

/**
 * @param {string} title
 * @param {readonly { lane: string, name: string, begin: string, end?: string }[]} events At least
 *   one; without an end for a moment.
 */
export function timelinePicture(title, events) {
  const inTime = events.map(({ begin, end, ...event }) => ({
    ...event,
    from: instantOf(begin),
    ...(end !== undefined && { to: instantOf(end) }),
    when: end === undefined ? timeText(begin) : `${timeText(begin)} – ${timeText(end)}`,
  })).toSorted((a, b) => a.from - b.from);
  const rows = inTime.map(({ when, lane, name }) => [when, lane, name]);
  const labelled = withTexts(inTime, rows.map(([when, , name]) => `${when}: ${name}`));
  const columns = [t("pictureTime"), t("pictureKind"), t("pictureWhat")];
  const day = axisDay(events.flatMap(({ begin, end = begin }) => [begin, end]));
  return picture(title, columns, rows, (width) => timelineLayout(labelled, width, day));
}

/** False if no kind has two values to compare. @param {readonly any[]} records */
export function healthPictures(records) {
  const measured = records.filter(({ redacted }) => !redacted).map(({ payload }) => ({
    kind: t("measuredIn", { name: label(payload.metricType), unit: payload.unit }),
    at: payload.measuredAt,
    value: payload.value,
  }));
  const kinds = [...Map.groupBy(measured, ({ kind }) => kind)];
  const compared = kinds.filter(([, points]) => points.length > 1);
  return compared.length > 0 &&
    h("section", compared.map(([kind, points]) => linePicture(kind, points)));
}

import { rowLayout } from "../logic/bar_picture.js";
import { lineLayout } from "../logic/line_picture.js";
import { reliabilityLayout } from "../logic/reliability_picture.js";
import { spreadLayout } from "../logic/spread_picture.js";
import { timelineLayout } from "../logic/timeline_picture.js";
import { dayText, shareText } from "./numbers.js";
import { picture } from "./picture.js";
import { numberText, t, timeText } from "./text.js";

/**
 * @param {string} title
 * @param {readonly { time: number, value: number }[]} points At least one; times in milliseconds.
 */
export function linePicture(title, points) {
  const labelled = points.map(({ time, value }) => ({
    time,
    value,
    text: `${timeText(time)}: ${numberText(value)}`,
  }));
  return picture({
    title,
    draw: (width) => lineLayout(labelled, width, { number: numberText, day: dayText }),
    columns: [t("pictureTime"), t("pictureValue")],
    rows: labelled.toSorted((a, b) => a.time - b.time)
      .map(({ time, value }) => [timeText(time), numberText(value)]),
  });
}

/**
 * @param {string} title
 * @param {readonly { name: string, value: number }[]} bars At least one.
 * @param {{ columns: readonly [string, string], valueText?: (value: number) =>
 *   string }} about `columns` of the table; `valueText` formats values.
 */
export function barPicture(title, bars, { columns, valueText = numberText }) {
  const labelled = bars.map((bar) => ({ ...bar, text: `${bar.name}: ${valueText(bar.value)}` }));
  return picture({
    title,
    draw: (width) => rowLayout(labelled, width, valueText),
    columns,
    rows: bars.map(({ name, value }) => [name, valueText(value)]),
  });
}

/**
 * @param {string} title
 * @param {readonly { name: string, low: number, middle: number, high: number }[]} spans At least one.
 * @param {readonly [string, string, string, string]} columns
 */
export function spreadPicture(title, spans, columns) {
  const rows = spans.map((
    { name, low, middle, high },
  ) => /** @type {const} */ ([name, ...[low, middle, high].map(numberText)]));
  const labelled = spans.map((span, index) => ({
    ...span,
    text: `${span.name}: ${rows[index]?.slice(1).join(" – ")}`,
  }));
  return picture({
    title,
    draw: (width) => spreadLayout(labelled, width, numberText),
    columns,
    rows,
  });
}

/**
 * Predicted against actual probability.
 *
 * @param {string} title
 * @param {readonly { expected: number, observed: number, count: number }[]} groups
 * @param {readonly [string, string, string]} columns
 */
export function reliabilityPicture(title, groups, columns) {
  const rows = groups.map(({ expected, observed, count }) => [
    shareText(expected),
    shareText(observed),
    count,
  ]);
  const labelled = groups.map((group, index) => ({
    ...group,
    text: rows[index]?.join(" · ") ?? "",
  }));
  return picture({
    title,
    draw: (width) =>
      reliabilityLayout(labelled, width, shareText, { expected: columns[0], observed: columns[1] }),
    columns,
    rows,
  });
}

/**
 * One line per kind of event.
 *
 * @param {string} title
 * @param {readonly { lane: string, from: number, to?: number, name: string }[]} events At least
 *   one; times in milliseconds; a moment has no `to`.
 */
export function timelinePicture(title, events) {
  const inTime = events.toSorted((a, b) => a.from - b.from);
  const whenText = (/** @type {typeof events[number]} */ { from, to }) =>
    to === undefined ? timeText(from) : `${timeText(from)} – ${timeText(to)}`;
  const labelled = inTime.map((event) => ({ ...event, text: `${whenText(event)}: ${event.name}` }));
  return picture({
    title,
    draw: (width) => timelineLayout(labelled, width, dayText),
    columns: [t("pictureTime"), t("pictureKind"), t("pictureWhat")],
    rows: inTime.map((event) => [whenText(event), event.lane, event.name]),
  });
}

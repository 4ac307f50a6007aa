/** Routines: a square for each of the last twelve weeks. */

import { formatTime } from "../../fields/shown/times.js";
import { DAY_MS, deviceZone } from "../../logic/local_time.js";
import { followChanges } from "../base/changes.js";
import { h } from "../base/elements.js";
import { loadArea, numberText, t } from "../base/language.js";
import { get } from "../base/reads.js";
import { readFigure } from "../charts/figure.js";
import { drawingOf, tableOf } from "../charts/pictures.js";
import { levelOfShare, weeksLayout } from "./squares.js";

const WEEKS = 12;

const WEEK_DAYS = 7;

/** A longer figure would push the list out of sight. */
function pageSize() {
  return matchMedia("(min-width: 40rem)").matches ? "10" : "5";
}

/** Returns the figure, as a function of the loaded records; false without any. */
export async function routinePictures() {
  await loadArea("figures");
  /** @type {RoutineState[]} */
  const read = [];
  const { element, show } = readFigure({
    title: t("lastWeeks"),
    kind: "routine",
    read: readRoutines,
    content: ({ from, items, nextCursor }, cursor) => {
      if (cursor === "") read.length = 0;
      read.push(...items);
      const rows = read.map((routine) => weeksOf(routine, from));
      const more = h("button", { onclick: () => extend(nextCursor ?? "") }, t("showMore"));
      return [...routinesContent(rows, from), nextCursor !== null && h("p", more)];
    },
  });
  const extend = async (/** @type {string} */ cursor) => {
    await show(cursor);
    element.querySelector("summary")?.focus();
  };
  let isShown = false;
  return (/** @type {readonly any[]} */ items) => {
    if (items.length === 0) return false;
    if (!isShown) {
      isShown = true;
      followChanges("/api/v2/records/routine", element, () => show(""));
      void show("");
    }
    return element;
  };
}

/** @param {string} cursor Empty for the first page. */
async function readRoutines(cursor) {
  const sent = { zone: deviceZone() ?? "UTC", limit: pageSize(), ...(cursor !== "" && { cursor }) };
  return await get(`/api/v2/insight/routines?${new URLSearchParams(sent)}`);
}

/**
 * @param {readonly ReturnType<typeof weeksOf>[]} rows @param {string} from
 * @returns {readonly Child[]}
 */
function routinesContent(rows, from) {
  const title = t("lastWeeks");
  const utc = /** @type {const} */ ({ day: "numeric", month: "short", timeZone: "UTC" });
  const ends = /** @type {const} */ ([formatTime(Date.parse(from), utc), t("presentWeek")]);
  const cut = rows.filter(({ isWhole }) => !isWhole)
    .map(({ name }) => h("p.small.quiet", t("routineCut", { name })));
  const columns = [t("aRoutine"), t("weeksDone"), t("timesByWeek")];
  return [
    drawingOf(title, (width) => weeksLayout(rows, width, ends)),
    h("p.small.quiet", t("weekSquaresText")),
    ...cut,
    tableOf(title, columns, rows.map(({ name, count, times }) => [name, count, times])),
  ];
}

/**
 * A week is full if the routine was done as often as planned.
 * @param {RoutineState} routine
 * @param {string} from The first day of the first week.
 */
export function weeksOf({ title, intervalDays, complete, days }, from) {
  const planned = Math.max(1, WEEK_DAYS / intervalDays);
  const weeks = Array.from({ length: WEEKS }, (_, week) => {
    const start = Date.parse(from) + week * WEEK_DAYS * DAY_MS;
    const end = start + WEEK_DAYS * DAY_MS;
    const times = days.filter(({ day }) => Date.parse(day) >= start && Date.parse(day) < end)
      .reduce((sum, { count }) => sum + count, 0);
    const when = formatTime(start, { dateStyle: "medium", timeZone: "UTC" });
    const level = times === 0 ? 0 : levelOfShare(times / planned);
    return { times, when, level, text: `${t("weekOf", { day: when })}: ${numberText(times)}` };
  });
  const done = weeks.filter(({ times }) => times > 0);
  return {
    name: title,
    count: t("ofWeeks", { count: done.length, all: WEEKS }),
    weeks,
    times: done.map(({ when, times }) => `${when}: ${numberText(times)}`).join(" · ") || "–",
    isWhole: complete,
  };
}

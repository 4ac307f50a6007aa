/** The time of a new memory, as one button that makes it vaguer. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { momentOf, wholeTimeText } from "../../fields/memory_fields.js";
import { newId } from "../../fields/controls/rows.js";
import { clockText, daysText, dayText, isToday, startOfDay } from "../../fields/shown/times.js";
import { seasonOf } from "../../fields/shown/stated.js";

/** @type {(text: string, precision: string, words?: string) => Texts} */
const stated = (occurredAt, timePrecision, timeText = "") => ({
  occurredAt,
  timePrecision,
  timeText,
});

/** As "today, 14:02". @param {Texts} texts */
function whenText({ occurredAt = "", timePrecision = "", timeText = "" }) {
  const isNow = timePrecision === "EXACT" && occurredAt !== "" && isToday(occurredAt);
  if (isNow && timeText === "") return `${daysText(0)}, ${clockText(occurredAt)}`;
  return wholeTimeText({
    occurredAt: occurredAt || null,
    timePrecision: timePrecision || null,
    timeText: timeText || null,
    timeRange: null,
  });
}

/** Vaguer times than now, each with its name and the control that is asked next. */
function vaguerTimes() {
  const now = new Date();
  const [year, month] = [now.getFullYear(), now.getMonth() + 1];
  // Monday begins the week.
  const monday = startOfDay(now, -((now.getDay() + 6) % 7));
  const { season, year: named } = seasonOf({ year, month });
  const inSeason = momentOf({ year: named, month: Math.max(1, season * 3), day: 1 });
  const week = t("inWeekOf", { day: dayText(monday.getTime()) });
  return [
    { name: t("thisWeek"), texts: stated(momentOf({ year, month, day: 1 }), "MONTH", week) },
    { name: whenText(stated(inSeason, "SEASON")), texts: stated(inSeason, "SEASON") },
    {
      name: t("aYear"),
      texts: stated(momentOf({ year, month: 1, day: 1 }), "YEAR"),
      next: "input",
    },
    { name: t("whenIWas"), texts: stated("", "LIFE_PERIOD"), next: "[name=timeText]" },
    { name: t("timeUnknown"), texts: stated("", "UNKNOWN") },
  ];
}

/**
 * Folds the three fields of a time below the button.
 * @param {readonly Field[]} fields
 * @returns {readonly Field[]}
 */
export function foldTime(fields) {
  const names = ["timePrecision", "occurredAt", "timeText"];
  const times = fields.filter(({ name }) => names.includes(name));
  const id = newId();
  const open = (isOpen = true) => {
    panel.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  };
  const button = h("button", {
    "aria-controls": id,
    "aria-expanded": "false",
    onclick: () => open(panel.hidden !== false),
  });
  const draw = () => {
    const texts = Object.fromEntries(times.map((field) => [field.name, field.text()]));
    const time = whenText(texts);
    button.textContent = t("whenIs", { time: time || t("noValue") });
  };
  const choose = (/** @type {Texts} */ texts, /** @type {string} */ next = "") => {
    for (const field of times) field.setText(texts[field.name] ?? "");
    panel.dispatchEvent(new Event("input", { bubbles: true }));
    const input = next === ""
      ? null
      : panel.querySelector(`fieldset:not([hidden]) ${next}, ${next}`);
    if (input instanceof HTMLInputElement) input.select();
    else button.focus();
  };
  const choices = vaguerTimes().map(({ name, texts, next }) =>
    h("button.plain", { onclick: () => choose(texts, next) }, name)
  );
  const panel = h(
    "div",
    { id, hidden: true },
    h("div.bar", choices),
    times.map(({ element }) => element),
  );
  panel.addEventListener("input", draw);
  const element = h("div.field", button, panel);
  draw();
  return fields.map((field) =>
    times.includes(field)
      ? folded(field, field === times[0] ? element : h("span", { hidden: true }), { open, draw })
      : field
  );
}

/** A new memory states a precision. @type {FoldField} */
function folded(field, element, { open, draw }) {
  return {
    ...field,
    element,
    problem: () =>
      field.problem() ||
      (field.name === "timePrecision" && field.text() === "" ? t("required") : ""),
    setText(text) {
      field.setText(text);
      draw();
    },
    refuse(text) {
      if (text !== "") open();
      field.refuse(text);
    },
    focus() {
      open();
      field.focus();
    },
  };
}

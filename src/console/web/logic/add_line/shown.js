/** How an understood line is shown: its kind, its title and its parts, by the page's language. */

import { DAY_MS } from "../local_time.js";

const SEASONS = /** @type {const} */ (["winterOf", "springOf", "summerOf", "autumnOf"]);

/**
 * The text of each part, with the words that the person can take back; null if nothing was typed.
 * @param {Understood} understood @param {ShowOptions} options
 */
export function shownParts({ parts, problem }, options) {
  if (problem !== null) return [{ text: options.t(problem), words: null }];
  return parts.map((part) => ({ text: partText(part, options), words: part.words }));
}

/** The sentence that Enter answers with. @param {LineProblem} problem @returns {LineSentence} */
export function problemSentence(problem) {
  return problem === "whichMeasurement" ? "nameMeasurement" : problem;
}

/** @param {LinePart} part @param {ShowOptions} options */
function partText(part, options) {
  const { t, locale } = options;
  switch (part.what) {
    case "time":
      return timeText(part, options);
    case "noTime":
      return t("noTime");
    case "interval":
      return part.days === 1
        ? t("everyDay")
        : t("everyDays", { count: new Intl.NumberFormat(locale).format(part.days) });
    case "measure":
      return measureText(part, options);
    case "address":
      return part.host;
    case "options":
      return part.items.join(" · ");
    case "detail":
      return part.words;
  }
}

/** @param {MeasurePart} part @param {ShowOptions} options */
function measureText({ kind, values, unit }, { t, label, locale }) {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 10 });
  const figure = values.map((value) => format.format(value)).join("/");
  const name = kind === "BLOOD_PRESSURE" ? t("bloodPressure") : label(kind);
  return `${name} · ${["of 10", "steps"].includes(unit) ? figure : `${figure} ${unit}`}`;
}

/** @param {TimePart} part @param {ShowOptions} options */
function timeText({ day, clock, timePrecision }, { t, locale, today }) {
  const date = new Date(day);
  const year = date.getUTCFullYear();
  /** @param {Intl.DateTimeFormatOptions} options */
  const format = (options) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(date);
  switch (timePrecision) {
    case "YEAR":
      return String(year);
    case "DECADE":
      return t("decadeOf", { year });
    case "SEASON":
      return t(SEASONS[Math.floor((date.getUTCMonth() + 1) % 12 / 3)] ?? "winterOf", {
        year,
        before: year - 1,
      });
    case "MONTH":
      return format({ month: "long", year: "numeric" });
  }
  const days = Math.round((day - today) / DAY_MS);
  const near = Math.abs(days) < 2
    ? new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day")
    : "";
  const isThisYear = year === new Date(today).getUTCFullYear();
  const whole = format({
    weekday: "short",
    month: "short",
    day: "numeric",
    ...(!isThisYear && { year: "numeric" }),
  });
  if (clock === null) {
    if (near === "") return whole;
    return timePrecision === "DAY" ? near : `${near}, ${whole}`;
  }
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" })
    .format(day + clock * 60_000);
  return `${near || whole}, ${time}`.replaceAll("\u202f", " ");
}

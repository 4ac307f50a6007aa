/** Fields of memories and their times. */

import { fill, h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { label, labelled } from "../core/names.js";
import * as localTimes from "../logic/local_time.js";
import { choiceField, scaleField } from "./controls/choices.js";
import { lineField, linesField } from "./controls/lines.js";
import { field, newId } from "./controls/rows.js";
import { clockNote } from "./controls/times.js";
import { timeText } from "./shown/times.js";
import { dateIn, rangeText, seasonNames, seasonOf } from "./shown/stated.js";

const { localOf, onClock, statedDay } = localTimes;

/**
 * The start of a day on the clock of another moment, or else of this device; empty for an invalid
 * day.
 * @param {{ year: number, month: number, day: number }} date The month is from 1.
 * @param {string} [other]
 */
export function momentOf({ year, month, day }, other) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || year < 1 || year > 9_999) return "";
  return onClock(date.toISOString().slice(0, 16), other);
}

/** @param {string} date */
export function dayOf(date) {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

/** The inputs of a moment; which ones depends on the precision. */
function precisionInputs() {
  const place = h("div.pair");
  /** @type {TimeInputs} */
  let inputs = { parts: [], moment: () => "" };
  let asked = "";
  const moment = () => inputs.moment();
  return {
    place,
    moment,
    /** @param {string} text @param {string} [precision] By default the one before. */
    draw(text, precision = asked) {
      asked = precision;
      inputs = inputsFor(asked, text);
      fill(place, inputs.parts);
    },
    isUnfinished: () =>
      moment() === "" &&
      [...place.querySelectorAll("input")].some(({ value, validity }) =>
        validity.badInput || value.trim() !== ""
      ),
  };
}

/** Its `ask` shows the inputs of a precision. @param {FieldRow} row */
function momentField(row) {
  /** As entered; as given before; and the given one as the inputs hold it. */
  let [text, given, drawn] = ["", "", ""];
  const { place, moment, draw, isUnfinished } = precisionInputs();
  const group = h("fieldset.field", { id: newId() });
  const ask = (/** @type {string | undefined} */ precision) => {
    draw(text, precision);
    [given, drawn] = [text, moment()];
    group.hidden = place.childElementCount === 0;
    clock.draw();
  };
  const holder = {
    text: () => text,
    setText(/** @type {string} */ stored) {
      text = stored;
      ask(undefined);
    },
  };
  const clock = clockNote(holder, () => group.querySelector("input, select"), localTimes);
  place.addEventListener("input", () => {
    const entered = moment();
    if (entered === drawn) text = given;
    else if (!isUnfinished()) text = entered;
    clock.draw();
  });
  group.append(place, clock.element);
  const problem = () => !group.hidden && isUnfinished() ? t("timeUnfinished") : "";
  const made = field(row, { ...holder, target: group, note: clock, problem });
  // A hidden input has no value.
  return { ...made, text: () => group.hidden ? "" : made.text(), ask };
}

/** @type {(precision: string, text: string) => TimeInputs} */
function inputsFor(precision, text) {
  const local = text === "" ? "" : localOf(text);
  const { year, month } = text === "" ? { year: "", month: 1 } : dayOf(local);
  switch (precision) {
    case "EXACT": {
      const shape = { type: "datetime-local", step: "any", value: local };
      const input = named(t("momentExact"), shape);
      return { parts: [input.part], moment: () => onClock(input.control.value, text) };
    }
    case "DAY":
    case "LIFE_PERIOD": {
      const input = named(t("momentDay"), { type: "date", value: local.slice(0, 10) });
      return { parts: [input.part], moment: () => momentOf(dayOf(input.control.value), text) };
    }
    case "MONTH": {
      const months = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2_000, index)));
      const names = months.map((day) => dateIn(day, { month: "long" }));
      const choice = listed(t("momentMonth"), names, month - 1);
      return yearInputs(text, year, choice.part, () => choice.chosen() + 1);
    }
    case "SEASON": {
      const stated = text === "" ? { season: 1, year: "" } : seasonOf(dayOf(local));
      const choice = listed(t("momentSeason"), seasonNames(), stated.season);
      // A winter is named by the year of its January.
      return yearInputs(text, stated.year, choice.part, () => Math.max(1, choice.chosen() * 3));
    }
    case "YEAR":
    case "DECADE":
      return yearInputs(text, year);
    default:
      return { parts: [], moment: () => "" };
  }
}

/**
 * @param {string} text The moment, whose clock stays. @param {number | string} value
 * @param {Element} [before] @param {() => number} [month]
 * @returns {TimeInputs}
 */
function yearInputs(text, value, before, month = () => 1) {
  const shape = { inputmode: "numeric", maxlength: 4, size: 4, value };
  const { control, part } = named(t("momentYear"), shape);
  const parts = before === undefined ? [part] : [before, part];
  const moment = () => momentOf({ year: Number(control.value), month: month(), day: 1 }, text);
  return { parts, moment };
}

/** @param {string} label @param {Readonly<Record<string, string | number>>} attributes */
function named(label, attributes) {
  const control = h("input", { id: newId(), autocomplete: "off", ...attributes });
  return { control, part: withLabel(label, control) };
}

/** @param {string} label @param {readonly string[]} names @param {number} chosen */
function listed(label, names, chosen) {
  const options = names.map((name, index) =>
    h("option", { value: index, selected: index === chosen }, name)
  );
  const control = h("select", { id: newId() }, options);
  return { part: withLabel(label, control), chosen: () => control.selectedIndex };
}

/** @param {string} label @param {Element} control */
function withLabel(label, control) {
  return h("div", h("label", { for: control.id }, label), control);
}

export const PRIVACY_LEVELS = /** @type {const} */ (["NORMAL", "PRIVATE", "SECRET"]);

/**
 * @param {CatalogModule} module The catalog module of memories.
 * @param {boolean} isNew Whether the original or the current text is written.
 */
export function memoryFields(module, isNew) {
  const choices = (/** @type {string} */ name) =>
    labelled(module.fields.find((field) => field.name === name)?.options ?? []);
  const words = isNew
    ? { name: "originalContent", label: t("yourWords"), hint: t("originalHint") }
    : { name: "currentContent", label: t("currentWords") };
  const privacy = { name: "privacyLevel", label: t("privacy"), hint: t("memoryPrivacyHint") };
  return [
    lineField({
      name: "title",
      label: t("title"),
      required: true,
      words: true,
      limits: { maximumLength: 200 },
    }),
    linesField({ ...words, required: true, sensitive: true }),
    choiceField(
      { name: "memoryType", label: t("pictureKind"), required: true },
      choices("memoryType"),
    ),
    ...timeFields(choices("timePrecision")),
    ...(isNew ? [choiceField({ ...privacy, required: true }, labelled(PRIVACY_LEVELS))] : []),
    scaleField({ name: "importance", label: t("importance") }, 5),
    linesField({ name: "summary", label: t("summary"), limits: { maximumLength: 1_000 } }),
  ];
}

/** @param {Choices} precisions */
function timeFields(precisions) {
  const precision = choiceField({ name: "timePrecision", label: t("howPrecisely") }, precisions);
  const moment = momentField({ name: "occurredAt", label: t("when") });
  precision.element.addEventListener("input", () => moment.ask(precision.text()));
  const setText = (/** @type {string} */ text) => {
    precision.setText(text);
    moment.ask(text);
  };
  const own = { name: "timeText", label: t("timeInWords"), hint: t("timeInWordsHint") };
  return [{ ...precision, setText }, moment, lineField({ ...own, words: true })];
}

/** In words, without the person's own; empty if no time was stated. @param {TimedMemory} memory */
function statedText(memory) {
  const { occurredAt, timePrecision } = memory;
  if (timePrecision === null) return "";
  if (timePrecision === "UNKNOWN") return t("timeUnknown");
  if (timePrecision === "EXACT" && occurredAt !== null) return timeText(occurredAt);
  const day = statedDay(memory);
  if (day === null) return label(timePrecision);
  const text = rangeText(timePrecision, day);
  return timePrecision === "LIFE_PERIOD" ? `${label(timePrecision)}, ${text}` : text;
}

/** @param {TimedMemory} memory */
export function shownTime(memory) {
  const stated = statedText(memory);
  if (memory.timeText === null) return h("span", stated);
  return h("span", h("span.words", memory.timeText), stated !== "" && " · ", stated);
}

/** The complete time, for comparisons. @param {TimedMemory} memory */
export function wholeTimeText(memory) {
  return [statedText(memory), memory.timeText ?? ""].filter((text) => text !== "").join(" · ");
}

/** @param {any} memory */
export function isSecret({ privacyLevel }) {
  return privacyLevel === "SECRET";
}

/**
 * Document titles are stored by browsers, so a secret memory's title is only on the page.
 * @param {any} memory
 * @param {string} heading
 */
export function titled(memory, heading) {
  return { title: isSecret(memory) ? t("aMemory") : heading, heading };
}

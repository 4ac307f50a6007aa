/** The time of an event, as precisely as it is known. */

import { fill, h } from "../core/dom.js";
import { locale, t } from "../core/text.js";
import { localTime, toInstant } from "../logic/local_time.js";
import { dayOf, momentOf, seasonOf } from "../logic/stated_time.js";
import { field, newId } from "./field.js";

/** @typedef {{ parts: readonly Element[], moment: () => string }} Inputs */

/**
 * @param {import("./field.js").Row} row
 * @returns {import("./field.js").Field & { ask: (precision: string) => void }} `ask` shows the inputs of a
 *   precision.
 */
export function momentField(row) {
  let text = "";
  let asked = "";
  /** @type {Inputs} */
  let inputs = { parts: [], moment: () => "" };
  const group = h("fieldset", { id: newId(), class: "field" });
  const place = h("div", { class: "pair" });
  group.append(place);
  /** The text as the inputs hold it. */
  let drawn = "";
  const draw = () => {
    inputs = inputsFor(asked, text);
    fill(place, inputs.parts);
    drawn = inputs.moment();
    group.hidden = inputs.parts.length === 0;
  };
  const isUnfinished = () =>
    inputs.moment() === "" &&
    [...place.querySelectorAll("input")].some(({ value, validity }) =>
      validity.badInput || value.trim() !== ""
    );
  const present = () => {
    const moment = inputs.moment();
    return moment === drawn || isUnfinished() ? text : moment;
  };
  const made = field(row, {
    element: group,
    target: group,
    text: present,
    setText(moment) {
      text = moment;
      draw();
    },
    problem: () => !group.hidden && isUnfinished() ? t("timeUnfinished") : "",
  });
  const ask = (/** @type {string} */ precision) => {
    text = present();
    asked = precision;
    draw();
  };
  // A hidden input has no value.
  return { ...made, text: () => group.hidden ? "" : made.text(), ask };
}

/**
 * @param {string} precision
 * @param {string} text
 * @returns {Inputs}
 */
function inputsFor(precision, text) {
  const { year, month } = text === "" ? { year: "", month: 1 } : dayOf(text);
  switch (precision) {
    case "EXACT": {
      const value = text === "" ? "" : localTime(new Date(text));
      const input = named(t("momentExact"), { type: "datetime-local", step: "any", value });
      return { parts: [input.part], moment: () => toInstant(input.control.value) };
    }
    case "DAY":
    case "LIFE_PERIOD": {
      const input = named(t("momentDay"), { type: "date", value: text.slice(0, 10) });
      return {
        parts: [input.part],
        moment() {
          const { year, month, day } = dayOf(input.control.value);
          return momentOf(year, month, day);
        },
      };
    }
    case "MONTH": {
      const months = Array.from({ length: 12 }, (_, index) => monthName(index));
      const choice = listed(t("momentMonth"), months, month - 1);
      const written = yearInput(year);
      const moment = () => momentOf(Number(written.control.value), choice.chosen() + 1, 1);
      return { parts: [choice.part, written.part], moment };
    }
    case "SEASON": {
      const stated = text === "" ? { season: 1, year: "" } : seasonOf(dayOf(text));
      const names = [t("winter"), t("spring"), t("summer"), t("autumn")];
      const choice = listed(t("momentSeason"), names, stated.season);
      const written = yearInput(stated.year);
      // A winter is named by the year of its January.
      const moment = () =>
        momentOf(Number(written.control.value), Math.max(1, choice.chosen() * 3), 1);
      return { parts: [choice.part, written.part], moment };
    }
    case "YEAR":
    case "DECADE": {
      const written = yearInput(year);
      return { parts: [written.part], moment: () => momentOf(Number(written.control.value), 1, 1) };
    }
    default:
      return { parts: [], moment: () => "" };
  }
}

/** @param {number} index */
function monthName(index) {
  const names = new Intl.DateTimeFormat(locale(), { month: "long", timeZone: "UTC" });
  return names.format(Date.UTC(2_000, index));
}

/** @param {number | string} value */
function yearInput(value) {
  return named(t("momentYear"), { inputmode: "numeric", maxlength: 4, size: 4, value });
}

/**
 * @param {string} label
 * @param {Readonly<Record<string, string | number>>} attributes
 */
function named(label, attributes) {
  const control = h("input", { id: newId(), autocomplete: "off", ...attributes });
  return { control, part: h("div", {}, h("label", { for: control.id }, label), control) };
}

/**
 * @param {string} label
 * @param {readonly string[]} names
 * @param {number} chosen
 */
function listed(label, names, chosen) {
  const options = names.map((name, index) =>
    h("option", { value: index, selected: index === chosen }, name)
  );
  const control = h("select", { id: newId() }, options);
  return {
    part: h("div", {}, h("label", { for: control.id }, label), control),
    chosen: () => control.selectedIndex,
  };
}

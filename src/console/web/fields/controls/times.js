/** Fields of a time. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { field, newId } from "./rows.js";

/**
 * A moment. A stored one stays on its clock when it is changed; otherwise the device's zone is
 * taken when the time is entered.
 * @param {FieldRow} row
 * @param {LocalTimes} times
 */
export function timeField(row, times) {
  const input = h("input", { id: newId(), name: row.name, type: "datetime-local", step: "any" });
  let [given, drawn, whole] = ["", "", ""];
  const holder = {
    text: () => whole,
    setText(/** @type {string} */ text) {
      input.value = text === "" ? "" : times.localOf(text);
      [given, drawn, whole] = [text, input.value, text];
      clock.draw();
    },
  };
  const clock = clockNote(holder, () => input, times);
  input.addEventListener("input", () => {
    // Keeps the value while a time is being typed.
    if (input.validity.badInput) return;
    whole = input.value === drawn ? given : times.onClock(input.value, given);
    clock.draw();
  });
  const problem = () => input.validity.badInput ? t("timeUnfinished") : "";
  return field(row, { ...holder, target: input, note: clock, problem });
}

/**
 * The zone or offset of a time, and a button that sets the device's: the same local time, there.
 * @param {TextHolder} time
 * @param {() => HTMLElement | null} control Gets the focus.
 * @param {LocalTimes} times
 */
export function clockNote({ text, setText }, control, { isOfDevice, localOf, onClock, placeText }) {
  const place = h("span", { id: newId(), translate: "no" });
  const onclick = () => {
    setText(onClock(localOf(text())));
    control()?.focus();
    element.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const button = h("button.plain", { onclick }, t("useDeviceZone"));
  const element = h("div.hint", { hidden: true }, place, " ", button);
  const draw = () => {
    place.textContent = placeText(text());
    button.hidden = isOfDevice(text());
    element.hidden = place.textContent === "";
  };
  return { element, id: place.id, draw };
}

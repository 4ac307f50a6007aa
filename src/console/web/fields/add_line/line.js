/** One line that adds a record: a textbox, and how its text is understood. */

import { watchForm } from "../../core/acts/unsaved.js";
import { fill, h, link } from "../../core/base/elements.js";
import { t, textOf } from "../../core/base/language.js";
import { once } from "../../core/base/timing.js";
import { notLoaded } from "../../core/base/visits.js";
import { modulePath } from "../../core/names.js";
import { KEPT_HERE, newId } from "../controls/rows.js";
import { openFullForm } from "./full_form.js";
import { readAs, understoodAs } from "./understood.js";

/** A person waits at most 300 ms for it. */
const PAUSE_MS = 250;

/** @type {LineReader | undefined} */
let reader;

const loadReader = once(async () => {
  const [{ understand }, shown] = await Promise.all([
    import("../../logic/add_line/understand.js"),
    import("../../logic/add_line/shown.js"),
  ]).catch(notLoaded);
  reader = { understand, ...shown };
});

/**
 * @param {LineOptions} options
 * @returns {AddLine}
 */
export function addLine(options) {
  const { place, send, left = () => {} } = options;
  /** Words that the person keeps as text. @type {Set<string>} */
  const kept = new Set();
  let timer = 0;
  const status = h("p.understood", { role: "status", "aria-label": t("understoodAs") });
  const refusal = h("p.refusal", { id: newId(), role: "alert" });
  const input = h("input.words", {
    ...KEPT_HERE,
    id: newId(),
    name: "line",
    "aria-label": t("quickAdd"),
    "aria-describedby": refusal.id,
    "aria-keyshortcuts": "n",
    enterkeyhint: "done",
  });
  const typed = () => input.value.trim();
  const read = () => reader === undefined ? null : readAs(reader, place(), typed(), kept);
  const refuse = (/** @type {string} */ text) => {
    refusal.textContent = text;
    if (text === "") input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  const show = () => {
    clearTimeout(timer);
    const understood = typed() === "" ? null : read();
    fill(status, understood && understoodAs(understood, keep));
  };
  const keep = (/** @type {string} */ words) => {
    kept.add(words);
    show();
    input.focus();
  };
  const clear = () => {
    input.value = "";
    kept.clear();
    refuse("");
    show();
  };
  const enter = async () => {
    const text = typed();
    if (text === "") return;
    if (reader === undefined) await loadReader();
    const understood = read();
    // Someone may have typed on while it was loaded.
    if (understood === null || typed() !== text) return;
    const { problem, records } = understood;
    if (problem === null && records.length === 0) return await more();
    show();
    if (problem !== null) return refuse(t(reader?.problemSentence(problem) ?? problem));
    clear();
    send({ understood, text, putBack });
  };
  const whole = link("#", t("more"));
  whole.addEventListener("click", (event) => {
    if (typed() === "") return;
    event.preventDefault();
    void more();
  });
  const more = async () => {
    await loadReader();
    const [text, understood] = [typed(), read()];
    clear();
    left();
    await openFullForm(place().list, text, understood ?? { records: [], form: null });
  };
  /** Above newer text. @type {PutBack} */
  const putBack = (words, sentence) => {
    if (typed() === "") {
      input.value = words;
      refuse(sentence);
      return show();
    }
    const other = addLine(options);
    element.before(other.element);
    other.putBack(words, sentence);
  };
  const element = h(
    "form.add-line",
    { novalidate: true },
    h("div.pair", input, h("button.main", { type: "submit" }, t("add"))),
    refusal,
    h("div.pair", status, whole),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void enter();
  });
  input.addEventListener("input", () => {
    refuse("");
    clearTimeout(timer);
    if (typed() === "") kept.clear();
    timer = setTimeout(show, typed() === "" ? 0 : PAUSE_MS);
  });
  const changed = () => {
    whole.href = `${modulePath(place().list)}/new`;
    input.placeholder = textOf(`line.${place().list}`, "");
    refuse("");
    show();
  };
  watchForm({ isUnsaved: () => input.isConnected && typed() !== "", cancel: clear });
  // Once the page is shown, to be there without a connection.
  setTimeout(() => void loadReader().then(show, () => {}));
  changed();
  return { element, changed, text: () => input.value, putBack, focus: () => input.focus() };
}

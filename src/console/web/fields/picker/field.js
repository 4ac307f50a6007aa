/** A field that names stored records: two letters find them, and a choice is a link. */

import { withSession } from "../../core/acts/password.js";
import { latest } from "../../core/acts/typing.js";
import { fits, optionList, plainWords } from "../../core/background/options.js";
import { ApiError } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { failureText, t } from "../../core/base/language.js";
import { wait } from "../../core/base/timing.js";
import { field, KEPT_HERE, newId } from "../controls/rows.js";
import { namedLink, ULID } from "../references.js";

const DELAY_MS = 150;
const MIN_LETTERS = 2;

/** @param {PickerRow} row @param {PickerSource} source @returns {PickerField} */
export function pickerField(row, source) {
  const picker = new Picker(row, source);
  return { ...field(row, picker.control()), chosen: () => picker.chosen };
}

class Picker {
  /** @type {readonly Named[]} */
  chosen = [];
  #list = h("ul.tags", { hidden: true });
  #status = h("p.hint", { role: "status" });

  /** @param {PickerRow} row @param {PickerSource} source */
  constructor(row, source) {
    this.row = row;
    this.source = source;
    const about = { id: newId(), name: row.name, ...KEPT_HERE };
    this.input = h("input.words", about);
    const choose = (/** @type {Named} */ named) => this.choose(named);
    this.options = optionList(this.input, row.label, choose);
    this.ask = latest(
      (/** @type {string} */ words, signal) => this.#find(words, signal),
      (found) => this.#show(found),
      () => this.#say(t("loading")),
    );
    this.#listen();
  }

  /** @returns {FieldControl} */
  control() {
    const box = h("div.picker", this.input, this.options.element);
    const onfocusout = (/** @type {FocusEvent} */ { relatedTarget }) => {
      if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) this.#close();
    };
    box.addEventListener("focusout", onfocusout);
    return {
      element: h("div", this.#list, box, this.#status),
      target: this.input,
      text: () => this.#text(),
      setText: (text) => this.#setText(text),
      problem: () => !this.source.isText && this.#typed() !== "" ? t("chooseFromList") : "",
    };
  }

  /** @param {Named} named */
  choose(named) {
    const others = this.chosen.filter(({ value }) => value !== named.value);
    this.#close();
    this.input.value = "";
    this.#change(this.row.isSeveral ? [...others, named] : [named]);
    if (!this.row.isSeveral) this.#list.querySelector("button")?.focus();
  }

  #listen() {
    const { input } = this;
    input.addEventListener("input", () => this.#asked());
    input.addEventListener("click", () => this.#offer());
    input.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.#press(event.key)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  /** True if the key was used. @param {string} key */
  #press(key) {
    const { options } = this;
    switch (key) {
      case "ArrowDown":
      case "ArrowUp":
        if (options.isOpen()) options.move(key === "ArrowDown" ? 1 : -1);
        else this.#offer();
        return true;
      case "Enter":
        return this.#enter();
      case "Escape": {
        const isUsed = options.isOpen() || this.#typed() !== "";
        if (!options.isOpen()) this.input.value = "";
        this.#close();
        return isUsed;
      }
      default:
        return false;
    }
  }

  /** Words that fit nothing are a value of their own where that is allowed, as are identifiers. */
  #enter() {
    const active = this.options.active();
    const value = this.#typed();
    const isValue = ULID.test(value) || (this.row.isSeveral && this.source.isText);
    if (active !== undefined) this.choose(active);
    else if (value !== "" && isValue) {
      this.choose({ value, text: value });
      void this.#name(this.chosen);
    } else return !this.source.isText && value !== "";
    return true;
  }

  #typed() {
    return this.input.value.trim();
  }

  /** Shows a short list at once, and repeats the search of a typed text. */
  #offer() {
    if (this.source.all !== undefined || !this.options.isOpen()) this.#asked();
  }

  #asked() {
    const words = this.#typed();
    const { all } = this.source;
    if (all !== undefined) return this.#show(all().filter(({ text }) => fits(text, words)));
    if (plainWords(words).join("").length < MIN_LETTERS) return this.#close();
    void this.ask(words);
  }

  /**
   * @param {string} words
   * @param {AbortSignal} signal
   * @returns {Promise<readonly Named[] | string>}
   */
  async #find(words, signal) {
    await wait(DELAY_MS);
    if (signal.aborted) return [];
    try {
      return await withSession(async () => await this.source.find?.(words, signal) ?? []);
    } catch (error) {
      if (error instanceof ApiError) return failureText(error.code);
      throw error;
    }
  }

  /** @param {readonly Named[] | string} found A text is the reason for no options. */
  #show(found) {
    const taken = new Set(this.chosen.map(({ value }) => value));
    const free = typeof found === "string" ? [] : found.filter(({ value }) => !taken.has(value));
    this.#say(typeof found === "string" ? found : free.length === 0 ? t("nothingHere") : "");
    // Words that are a value themselves stay, unless an option is chosen.
    this.options.show(free, this.source.isText ? -1 : 0);
  }

  #close() {
    this.ask.cancel();
    this.options.close();
    this.#say("");
  }

  /** @param {string} text */
  #say(text) {
    this.#status.textContent = text;
  }

  /** @param {readonly Named[]} chosen */
  #change(chosen) {
    this.chosen = chosen;
    this.#draw();
    this.#list.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #draw() {
    const { chosen } = this;
    const remove = (/** @type {Named} */ named) => () => {
      this.#change(chosen.filter((other) => other !== named));
      this.input.focus();
    };
    const lines = chosen.map((named) => {
      const label = t("removeChosen", { name: named.text });
      const button = h("button.plain", { "aria-label": label, onclick: remove(named) }, "×");
      return h("li", namedLink(named), button);
    });
    fill(this.#list, lines);
    this.#list.hidden = lines.length === 0;
    this.input.hidden = !this.row.isSeveral && chosen.length > 0;
  }

  /** Includes words that were typed and not chosen, where they are a value. */
  #text() {
    const typed = this.source.isText ? this.#typed() : "";
    const values = [...this.chosen.map(({ value }) => value), typed].filter(Boolean);
    if (!this.row.isSeveral) return values.at(-1) ?? "";
    return values.length === 0 ? "" : JSON.stringify(values);
  }

  /** @param {string} text */
  #setText(text) {
    const values = this.row.isSeveral && text !== "" ? JSON.parse(text) : [text];
    const given = values.filter(Boolean).map((/** @type {string} */ value) => ({
      value,
      text: "…",
    }));
    this.chosen = given;
    this.input.value = "";
    this.#draw();
    void this.#name(given);
  }

  /** @param {readonly Named[]} given */
  async #name(given) {
    const named = await Promise.all(given.map(({ value }) => this.source.nameOf(value)));
    // Something else was chosen since.
    if (this.chosen !== given) return;
    this.chosen = named;
    this.#draw();
  }
}

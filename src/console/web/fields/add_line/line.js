/** One line that adds a record: a textbox, and how its text is understood. */

import { watchForm } from "../../core/acts/unsaved.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { failureText, t, textOf } from "../../core/base/language.js";
import { once } from "../../core/base/timing.js";
import { modulePath } from "../../core/names.js";
import { KEPT_HERE, newId } from "../controls/rows.js";
import { LineFiles } from "./files.js";
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
  ]);
  return reader = { understand, ...shown };
});

export class AddLine {
  #options;
  /** Words that the person keeps as text. @type {Set<string>} */
  #kept = new Set();
  #timer = 0;
  #status = h("p.understood", { role: "status", "aria-label": t("understoodAs") });
  #refusal = h("p.refusal", { id: newId(), role: "alert" });
  #input = h("input.words", {
    ...KEPT_HERE,
    name: "line",
    "aria-label": t("quickAdd"),
    "aria-describedby": this.#refusal.id,
    "aria-keyshortcuts": "n",
    enterkeyhint: "done",
  });
  #add = h(
    "button.act",
    { type: "submit", "aria-label": t("add"), title: t("add") },
    icon("add"),
  );
  #more = h("a.act", { href: "#", "aria-label": t("more"), title: t("more") }, icon("expand"));
  #files = new LineFiles();
  #isWaiting = false;
  /** Entered lines that wait for the reader. */
  #later = 0;

  /** @param {LineOptions} options */
  constructor(options) {
    this.#options = options;
    this.element = h(
      "form.add-line",
      { novalidate: true },
      h("div.pair", this.#input, this.#add, this.#more),
      this.#refusal,
      h("div.pair", this.#files.element, this.#status),
    );
    this.#listen();
    this.changed();
    // Once the page is shown, to be there without a connection.
    setTimeout(() => void loadReader().then(() => this.#show(), () => {}));
  }

  #listen() {
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enter();
    });
    this.#input.addEventListener("input", () => {
      this.#refuse("");
      clearTimeout(this.#timer);
      const isEmpty = this.#typed === "";
      if (isEmpty) this.#kept.clear();
      this.#timer = setTimeout(() => this.#show(), isEmpty ? 0 : PAUSE_MS);
    });
    this.#more.addEventListener("click", (event) => {
      if (this.#typed === "") return;
      event.preventDefault();
      void this.#open();
    });
    watchForm({
      isUnsaved: () => this.#later > 0 || (this.#input.isConnected && this.#typed !== ""),
      cancel: () => this.#clear(),
    });
  }

  /** Shows the text again, as one of another place. */
  changed() {
    const { list } = this.#options.place();
    this.#more.href = `${modulePath(list)}/new`;
    this.#input.placeholder = textOf(`line.${list}`, "");
    void this.#files.offer(list).catch(() => {});
    this.#refuse("");
    this.#show();
  }

  get text() {
    return this.#input.value;
  }

  focus() {
    this.#input.focus();
  }

  /** Returns refused words to the box, above newer text. @type {PutBack} */
  putBack(words, sentence, files = []) {
    if (this.#typed === "") {
      this.#input.value = words;
      this.#files.show(files);
      this.#show();
      return this.#refuse(sentence);
    }
    const other = new AddLine({
      ...this.#options,
      emptied: () => {
        if (other.element.contains(document.activeElement)) this.focus();
        other.element.remove();
      },
    });
    this.element.before(other.element);
    other.putBack(words, sentence, files);
  }

  get #typed() {
    return this.#input.value.trim();
  }

  /** @param {LineReader} by @param {string} text */
  #read(by, text) {
    return readAs(by, this.#options.place(), text, this.#kept);
  }

  #show() {
    clearTimeout(this.#timer);
    const text = this.#typed;
    this.#add.classList.toggle("main", text !== "");
    const read = text !== "" && reader && this.#read(reader, text);
    fill(this.#status, read && understoodAs(read, (words) => this.#keep(words)));
  }

  /** @param {string} words */
  #keep(words) {
    this.#kept.add(words);
    this.#show();
    this.focus();
  }

  /** @param {string} text */
  #refuse(text) {
    this.#refusal.textContent = text;
    if (text === "") this.#input.removeAttribute("aria-invalid");
    else this.#input.setAttribute("aria-invalid", "true");
  }

  #clear() {
    this.#input.value = "";
    this.#kept.clear();
    this.#refuse("");
    this.#show();
    this.#options.emptied?.();
  }

  /** A text that is not understood stays, or returns. */
  #enter() {
    const text = this.#typed;
    if (text === "") return;
    if (reader === undefined) return void this.#enterLater(text);
    const understood = this.#read(reader, text);
    const { problem, records } = understood;
    if (problem !== null) {
      this.#show();
      return this.#refuse(t(reader.problemSentence(problem)));
    }
    if (records.length === 0) return void this.#open();
    if (this.#files.isRunning) return void this.#enterOnceUploaded();
    if (this.#files.problem() !== "") return this.#refuse(this.#files.problem());
    const files = this.#files.take();
    this.#clear();
    const whole = { ...understood, records: this.#files.addTo(records, files) };
    this.#options.send({ understood: whole, text, files });
  }

  async #enterOnceUploaded() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    announce(t("uploadRunning"));
    await this.#files.settled();
    this.#isWaiting = false;
    this.#enter();
  }

  /** Sends a line entered before the reader has loaded. @param {string} text */
  async #enterLater(text) {
    const place = this.#options.place();
    this.#clear();
    this.#later++;
    const by = await loadReader().catch(() => null).finally(() => this.#later--);
    if (by === null) return this.putBack(text, failureText("NETWORK_ERROR"));
    if (this.#typed === "") {
      this.#input.value = text;
      return this.#enter();
    }
    const understood = readAs(by, place, text, []);
    const { records, problem } = understood;
    if (records.length > 0) return this.#options.send({ understood, text, files: [] });
    this.putBack(text, problem === null ? "" : t(by.problemSentence(problem)));
  }

  async #open() {
    const [text, { list }] = [this.#typed, this.#options.place()];
    const { records, form } = this.#read(await loadReader(), text);
    const filed = this.#files.addTo(records, this.#files.take());
    this.#clear();
    this.#options.left?.();
    await openFullForm(list, text, { records: filed, form });
  }
}

/** The files of one control, and their uploads. */

import { iconButton } from "../../core/acts/buttons.js";
import { ApiError, reasonText } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { contentPath, isPicture } from "../shown/files.js";
import { wantedCopy } from "./smaller.js";
import { attach } from "./upload.js";

/** The service accepts four of an account. */
const AT_ONCE = 3;

export class FileHolder {
  /** @type {readonly FileEntry[]} */
  entries = [];
  /** @type {(() => void)[]} */
  #waiting = [];
  /** Entries that were given to `added`. @type {Set<FileEntry>} */
  #told = new Set();

  /**
   * @param {HTMLElement} list
   * @param {Required<Pick<FileAdderOptions, "added" | "changed">> & { left: () => void }} calls
   *   `left` is called when the focused entry goes.
   */
  constructor(list, calls) {
    this.list = list;
    this.calls = calls;
  }

  get isRunning() {
    return this.entries.some(({ state }) => state === "waiting" || state === "running");
  }

  /** @returns {Promise<void>} */
  settled() {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#next();
    });
  }

  /** @param {readonly File[]} files @param {TextPlace | null} [place] */
  take(files, place = null) {
    for (const [index, source] of files.entries()) {
      this.#add({ name: source.name, state: "waiting", source, place, index });
    }
    this.#next();
  }

  /** Replaces the finished uploads. @param {readonly FileName[]} files */
  show(files) {
    for (const entry of this.entries) if (entry.file !== null) this.#drop(entry);
    for (const file of files) {
      this.#told.add(this.#add({ name: file.filename, state: "done", file }));
    }
  }

  clear() {
    for (const entry of this.entries) this.#drop(entry);
    this.#next();
  }

  /** @param {Partial<FileEntry> & Pick<FileEntry, "name" | "state">} about */
  #add(about) {
    const element = h("li");
    const rest = { source: null, file: null, place: null, index: 0 };
    /** @type {FileEntry} */
    const entry = { ...rest, ...about, ending: new AbortController(), element };
    this.entries = [...this.entries, entry];
    this.list.append(element);
    this.#draw(entry);
    return entry;
  }

  /** @param {FileEntry} entry */
  #drop(entry) {
    const hadFocus = entry.element.contains(document.activeElement);
    entry.ending.abort();
    entry.element.remove();
    this.entries = this.entries.filter((other) => other !== entry);
    if (hadFocus) this.calls.left();
  }

  /** Begins the uploads that have room, and reports those that have ended. */
  #next() {
    const running = this.entries.filter(({ state }) => state === "running").length;
    const waiting = this.entries.filter(({ state }) => state === "waiting");
    for (const entry of waiting.slice(0, Math.max(0, AT_ONCE - running))) void this.#upload(entry);
    for (const entry of this.entries) {
      if (entry.state === "waiting" || entry.state === "running") break;
      if (entry.file === null || this.#told.has(entry)) continue;
      this.#told.add(entry);
      if (this.calls.added(entry.file, entry)) this.#drop(entry);
      this.calls.changed();
    }
    if (!this.isRunning) { for (const resolve of this.#waiting.splice(0)) resolve(); }
  }

  /** @param {FileEntry} entry */
  async #upload(entry) {
    const { ending: { signal } } = entry;
    entry.state = "running";
    this.#draw(entry);
    try {
      const source = entry.source = await wantedCopy(/** @type {File} */ (entry.source));
      if (signal.aborted) return;
      entry.name = source.name;
      const label = t("uploading", { file: entry.name });
      const progress = h("progress", { max: 1, value: 0, "aria-label": label });
      this.#draw(entry, progress);
      const show = (/** @type {number} */ part) => progress.value = part;
      entry.file = await attach(source, show, signal);
      entry.state = "done";
      this.#draw(entry);
      if (isPicture(entry.file)) makeSmallLater(entry.file, source);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      entry.state = "failed";
      this.#draw(entry, h("span.refusal", { role: "alert" }, await reasonText(error)));
    }
    this.#next();
  }

  /** @param {FileEntry} entry @param {Element} [note] */
  #draw(entry, note) {
    const { name, file, state, element } = entry;
    const again = () => {
      entry.state = "waiting";
      this.#draw(entry);
      this.#next();
    };
    const remove = () => {
      this.#drop(entry);
      this.calls.changed();
      this.#next();
    };
    const hadFocus = element.contains(document.activeElement);
    const href = file !== null && contentPath(file.attachmentId);
    fill(
      element,
      href ? h("a.words", { href, download: true }, name) : h("span.words", name),
      note,
      state === "failed" && iconButton("undo", t("againFile", { file: name }), again),
      iconButton("close", t("removeTag", { tag: name }), remove),
    );
    if (hadFocus) element.querySelector("button")?.focus();
  }
}

/** @param {FileName} file @param {File} source */
function makeSmallLater(file, source) {
  import("../pictures/making.js").then(({ makeLater }) => makeLater(file, source), () => {});
}

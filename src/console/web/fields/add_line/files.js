/** Files of a line, in lists whose records have them. */

import { h } from "../../core/base/elements.js";
import { notLoaded } from "../../core/base/visits.js";

const WITH_FILES = ["memory", "capture"];

export class LineFiles {
  element = h("div", { hidden: true });
  /** @type {FileAdder | null} */
  #adder = null;
  /** Uploaded files by their identifiers. @type {Map<string, FileName>} */
  #known = new Map();
  /** @type {import("../files/file_lines.js") | null} */
  #lines = null;

  /** @param {string} list */
  async offer(list) {
    this.element.hidden = !WITH_FILES.includes(list);
    if (this.element.hidden || this.#adder !== null) return;
    const [{ fileAdder, receiveFiles }, lines] = await Promise.all([
      import("../files/adder.js"),
      import("../files/file_lines.js"),
    ]).catch(notLoaded);
    if (this.#adder !== null) return;
    this.#lines = lines;
    const adder = this.#adder = fileAdder({
      added: (file) => {
        this.#known.set(file.attachmentId, file);
        return false;
      },
    });
    this.element.append(adder.element);
    const form = this.element.closest("form") ?? this.element;
    receiveFiles(form, (files) => this.#isOffered && adder.take(files));
  }

  get isRunning() {
    return this.#isOffered && this.#adder?.isRunning() === true;
  }

  settled() {
    return this.#adder?.settled();
  }

  problem() {
    return this.#isOffered ? this.#adder?.problem() ?? "" : "";
  }

  /** Empties the control. @returns {readonly FileName[]} */
  take() {
    if (!this.#isOffered) return [];
    const files = (this.#adder?.ids() ?? []).flatMap((id) => this.#known.get(id) ?? []);
    this.#adder?.show([]);
    return files;
  }

  /** @param {readonly FileName[]} files */
  show(files) {
    for (const file of files) this.#known.set(file.attachmentId, file);
    if (files.length > 0) this.#adder?.show(files);
  }

  /**
   * A memory names them in its text, a capture in a field of its own.
   * @param {readonly LineRecord[]} records @param {readonly FileName[]} files
   * @returns {readonly LineRecord[]}
   */
  addTo(records, files) {
    const [record, ...others] = records;
    const lines = this.#lines;
    if (record === undefined || lines === null || files.length === 0) return records;
    const { body } = record;
    const { payload, originalContent } = body;
    const changed = payload === undefined
      ? { originalContent: files.map(lines.fileLine).reduce(lines.withLine, originalContent) }
      : { payload: { ...payload, attachmentIds: files.map(({ attachmentId }) => attachmentId) } };
    return [{ ...record, body: { ...body, ...changed } }, ...others];
  }

  get #isOffered() {
    return !this.element.hidden;
  }
}

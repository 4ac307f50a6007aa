/** Fields for files, and texts that take them. */

import { h } from "../../core/base/elements.js";
import { field, newId } from "../controls/rows.js";
import { fileOf } from "../shown/files.js";
import { fileAdder, receiveFiles } from "./adder.js";
import { FILE_TEXTS, fileLine, lineAt, movedPlace, withLine } from "./file_lines.js";

/** Records whose form shows "Add files" below their text; others only accept them. */
const OFFERING = ["memory", "knowledge", "timeline"];

/**
 * Attachments by their ids, separated by commas.
 * @param {FieldRow} row
 * @param {boolean} [isSingle] True for one, which the next one replaces. The others of several are
 *   given to the field's `rest`.
 * @param {boolean} [ofDevice] True for files that the device makes.
 */
export function fileField(row, isSingle = false, ofDevice = false) {
  let ids = "";
  const set = (/** @type {readonly string[]} */ all) => {
    ids = all.join(",");
    group.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** @param {FileName} file @param {FileEntry} entry */
  const added = (file, { index }) => {
    if (!isSingle) return false;
    if (index > 0 && made.rest) made.rest(file);
    else adder.show([file]);
    return true;
  };
  const adder = fileAdder({ isKept: true, ofDevice, added, changed: () => set(adder.ids()) });
  const group = h("fieldset.field", { id: newId(), "data-name": row.name }, adder.element);
  const setText = (/** @type {string} */ text) => {
    if (text === ids) return;
    ids = text;
    const wanted = text === "" ? [] : text.split(",");
    adder.show(wanted.map(unnamed));
    const read = wanted.map(async (id) => await fileOf(id).catch(() => null) ?? unnamed(id));
    void Promise.all(read).then((files) => text !== "" && text === ids && adder.show(files));
  };
  const control = { target: group, text: () => ids, setText, problem: adder.problem };
  const take = (/** @type {readonly File[]} */ files) => {
    group.closest("details")?.setAttribute("open", "");
    adder.take(files);
  };
  /** @type {Field} */
  const made = {
    ...field(row, control),
    take,
    names: () => adder.files().map(({ filename }) => filename),
    pending: pendingOf(adder),
  };
  const { focus } = made;
  made.focus = () => {
    focus();
    adder.focus();
  };
  return made;
}

/** @param {string} id @returns {FileName} */
function unnamed(id) {
  return { attachmentId: id, filename: id, mediaType: "" };
}

/** @param {FileAdder} adder */
function pendingOf(adder) {
  return () => adder.isRunning() ? adder.settled() : null;
}

/**
 * Accepts files that are dropped on a form or pasted into it. A file becomes a line of the text
 * into which it is pasted, or at the end of the record's main text, which shows "Add files" if it
 * is not folded. A capture keeps its files in its own field.
 * @type {AcceptFiles}
 */
export function takeFiles(form, fields, code) {
  const own = fields.find(({ take }) => take !== undefined);
  const mainText = fields.find(({ name }) => FILE_TEXTS[code]?.includes(name));
  /** @type {Map<Field, (files: readonly File[], at: number | null) => void>} */
  const texts = new Map();
  const textOf = (/** @type {Field} */ field, isShown = false) => {
    const take = texts.get(field) ?? textFiles(field, isShown);
    texts.set(field, take);
    return take;
  };
  if (mainText && OFFERING.includes(code)) textOf(mainText, true);
  if (own && mainText) own.rest = (file) => append(mainText, fileLine(file));
  receiveFiles(form, (files, event) => {
    const area = event.target instanceof HTMLTextAreaElement ? event.target : null;
    const written = fields.find(({ element }) => area !== null && element.contains(area));
    const text = own?.name === "attachmentIds"
      ? undefined
      : written ?? (own ? undefined : mainText);
    if (text === undefined) own?.take?.(files);
    else textOf(text)(files, text === written && area ? caretOf(area, event) : null);
  });
}

/** @param {HTMLTextAreaElement} area @param {Event} event */
function caretOf(area, event) {
  const place = event instanceof MouseEvent
    ? document.caretPositionFromPoint?.(event.clientX, event.clientY)
    : null;
  return place?.offsetNode === area ? place.offset : area.selectionStart;
}

/** @param {Field} field @param {string} line */
function append(field, line) {
  field.setText(withLine(field.text(), line));
  field.element.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The function that adds files to a text. @param {Field} field @param {boolean} isShown */
function textFiles(field, isShown) {
  const area = /** @type {HTMLTextAreaElement} */ (field.element.querySelector("textarea"));
  /** @type {Set<TextPlace>} */
  const places = new Set();
  let before = area.value;
  area.addEventListener("input", () => {
    for (const place of places) place.at = movedPlace(place.at, before, area.value);
    before = area.value;
  });
  const insert = (/** @type {TextPlace} */ place, /** @type {string} */ line) => {
    const words = lineAt(area.value, place.at, line);
    const { at } = place;
    area.setRangeText(words, at, at, "preserve");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    place.at = at + words.length;
  };
  /** @param {FileName} file @param {FileEntry} entry */
  const added = (file, { place }) => {
    if (place === null) append(field, fileLine(file));
    else insert(place, fileLine(file));
    return true;
  };
  const adder = fileAdder({ isKept: true, added });
  field.element.append(isShown ? adder.element : adder.list);
  const { problem } = field;
  Object.assign(field, { pending: pendingOf(adder), problem: () => problem() || adder.problem() });
  return (/** @type {readonly File[]} */ files, /** @type {number | null} */ at) => {
    const place = at === null ? null : { at };
    if (place !== null) places.add(place);
    adder.take(files, place);
  };
}

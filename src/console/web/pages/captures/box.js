/** The box for a thought: on Today, and on a page of its own with files. */

import { showTexts, textsOf } from "../../core/acts/texts.js";
import { delayed } from "../../core/acts/typing.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { announce, h } from "../../core/base/elements.js";
import { newKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { dropDraft, keepDraft, readDraft } from "../../core/browser_outbox/drafts.js";
import { putBack, resumeLines, sendLine, sentenceOf } from "../../core/browser_outbox/sent_line.js";
import { CAPTURES_API, labelOfOne } from "../../core/names.js";
import { form } from "../../fields/controls/forms.js";
import { linesField } from "../../fields/controls/lines.js";
import { titleOf } from "../../fields/shown/titles.js";
import { deviceTime } from "../../logic/local_time.js";
import { forgetVisit, sentCapture } from "./lines.js";

const CONTENT = "originalContent";
const FILES = "attachmentIds";
const SOURCE = "sourceApp";
const TIME = "capturedAt";

const SENSITIVE = new Set([CONTENT, FILES, SOURCE, TIME]);

const isTouch = () => matchMedia("(pointer: coarse)").matches;

/**
 * The box, and the captures of this visit, newest first. `share` adds words that another app
 * shared.
 * @param {string} page The address under which its text is kept.
 * @param {Field | null} [files]
 */
export function captureSection(page, files = null) {
  forgetVisit();
  const list = h("ul.lines");
  const field = linesField({
    name: CONTENT,
    label: t("captureLabel"),
    hint: isTouch() ? undefined : t("captureHint"),
    required: true,
    sensitive: true,
  });
  // A picture or a recording needs no words.
  const words = { ...field, problem: () => files?.text() ? "" : field.problem() };
  const fields = files === null ? [words] : [words, files];
  const kept = keptBox(page, fields);
  const area = field.element.querySelector("textarea") ?? h("textarea");
  field.element.classList.add("bare");
  area.placeholder = field.row.label;
  area.title = String(field.row.hint ?? "");
  /** @type {LineParts} */
  const parts = {
    list,
    made: ([capture]) => sentCapture(capture),
    refused(error, text, [write]) {
      if (text !== "") putBack(area, text, "\n\n");
      const { [FILES]: ids = [], [SOURCE]: source } = payloadOf(write);
      files?.setText([files.text(), ...ids].filter(Boolean).join());
      kept.setSource(source);
      field.refuse(sentenceOf(error));
      announce(sentenceOf(error));
      return kept.now();
    },
  };
  // The box is empty at once: the outbox has the text.
  const submit = () => {
    const names = files?.names?.() ?? [];
    const sent = captureOf(kept.take(), names);
    field.focus();
    sendLine({ ...parts, ...sent, page, brief: true });
    return Promise.resolve();
  };
  const element = form(fields, t("keep"), submit, { staysOpen: true });
  element.addEventListener("input", kept.soon);
  area.addEventListener("keydown", (event) => {
    // Input methods choose a word by Enter, and on a touch screen Enter is the new line.
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || isTouch()) return;
    event.preventDefault();
    if (words.problem() === "") element.requestSubmit();
  });
  area.setAttribute("aria-keyshortcuts", "n");
  void resumeLines({ ...parts, page });
  return {
    element: h("section.thought", element, list),
    focus: field.focus,
    share(/** @type {string} */ text) {
      kept.setSource("SHARE_SHEET");
      field.setText([field.text(), text].filter(Boolean).join("\n\n"));
      kept.now();
    },
  };
}

/**
 * Stores the texts of the box while they are written.
 * @param {string} page @param {readonly Field[]} fields
 */
function keptBox(page, fields) {
  const isEmpty = (/** @type {Texts} */ texts) => fields.every(({ name }) => !texts[name]);
  const found = readDraft(page);
  // A draft without text belongs to another tab.
  let draft = found === null || isEmpty(found.texts) ? newDraft() : found;
  showTexts(fields, draft.texts);
  let isKept = true;
  const end = () => {
    dropDraft(page);
    draft = newDraft();
    isKept = true;
  };
  const pending = delayed(() => {
    const texts = textsOf(fields);
    if (isEmpty(texts)) return end();
    const time = draft.texts[TIME] ?? deviceTime(Date.now());
    draft = { ...draft, at: Date.now(), texts: { ...draft.texts, ...texts, [TIME]: time } };
    isKept = keepDraft(page, draft, SENSITIVE);
  });
  const isUnsaved = () => pending.isDue() || !isKept;
  watchForm({ isUnsaved, save: pending.now, cancel: pending.cancel });
  return {
    soon: pending.soon,
    /** False if the browser has no room. */
    now() {
      pending.now();
      return isKept;
    },
    setSource(/** @type {string} */ source) {
      draft = { ...draft, texts: { ...draft.texts, [SOURCE]: source } };
    },
    /** Empties the box. */
    take() {
      pending.now();
      const { texts } = draft;
      end();
      showTexts(fields, {});
      return texts;
    },
  };
}

/** @param {Write | undefined} write @returns {any} */
function payloadOf(write) {
  return /** @type {any} */ (write?.body)?.payload ?? {};
}

/** @returns {Draft} */
function newDraft() {
  return { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
}

/**
 * The title is the first line; the text stays as typed. Files without words have their names.
 * @param {Draft["texts"]} texts @param {readonly string[]} names
 */
function captureOf(texts, names) {
  const { [CONTENT]: words = "", [FILES]: ids = "", [SOURCE]: sourceApp = "WEB" } = texts;
  const originalContent = words.trim() === "" ? names.join("\n") : words;
  const payload = {
    contentType: "TEXT",
    originalContent,
    targetModule: "memory",
    sourceApp,
    capturedAt: texts[TIME],
    routeStatus: "INBOX",
    ...(ids !== "" && { [FILES]: ids.split(",") }),
  };
  const title = titleOf(originalContent) || labelOfOne("capture");
  const write = { method: "POST", path: CAPTURES_API, body: { title, payload } };
  return { title, words, writes: [write] };
}

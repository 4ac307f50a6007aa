/** Captures: the box, and their lines. */

import { actButton } from "../../core/acts/buttons.js";
import { delayed } from "../../core/acts/typing.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { announce, h, link } from "../../core/base/elements.js";
import { newKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { dropDraft, keepDraft, readDraft } from "../../core/browser_outbox/drafts.js";
import { putBack, resumeLines, sendLine, sentenceOf } from "../../core/browser_outbox/sent_line.js";
import { labelOfOne, modulePath, recordPath } from "../../core/names.js";
import { form, line } from "../../fields/controls/forms.js";
import { linesField } from "../../fields/controls/lines.js";
import { ago } from "../../fields/shown/files.js";
import { titleOf } from "../../fields/shown/titles.js";
import { deviceTime } from "../../logic/local_time.js";

export const CAPTURES = "/api/v2/records/capture";

/**
 * The texts that a capture gives a new record's form; none if it was erased, because the form may
 * have a draft.
 * @param {string} moduleCode
 * @param {string} recordId
 * @returns {Promise<Record<string, string>>}
 */
export async function textsFromCapture(moduleCode, recordId) {
  const found = await get(`${CAPTURES}/${encodeURIComponent(recordId)}`).catch((error) => {
    if (error.code !== "RECORD_ERASED" && error.code !== "RECORD_NOT_FOUND") throw error;
  });
  if (found === undefined) return {};
  const texts = textsOfCapture(moduleCode, found);
  const ids = found.payload?.attachmentIds ?? [];
  if (ids.length === 0) return texts;
  const { withFiles } = await import("../../fields/files/file_lines.js");
  return await withFiles(texts, moduleCode, ids);
}

/** @type {(moduleCode: string, capture: any) => Record<string, string>} */
function textsOfCapture(moduleCode, { recordId, title: stored, payload }) {
  const text = payload?.originalContent ?? "";
  const title = titleOf(text) || stored;
  switch (moduleCode) {
    case "action":
      return { title, actionTitle: title, ...(text.trim() !== title && { description: text }) };
    case "commitment":
      return { title, content: text };
    case "knowledge": {
      const url = `urn:capture:${recordId}`;
      return { title, sourceTitle: title, sourceType: "NOTE", annotation: text, url };
    }
    default: {
      // A memory is as old as its capture.
      const { capturedAt } = payload ?? {};
      return { title, originalContent: text, ...(capturedAt && { occurredAt: capturedAt }) };
    }
  }
}

/** Marks a used capture. @type {(recordId: string, moduleCode: string) => Write} */
export function routing(recordId, moduleCode) {
  const path = `${CAPTURES}/${encodeURIComponent(recordId)}`;
  const body = { payload: { routeStatus: "ROUTED", targetModule: moduleCode } };
  const page = recordPath("capture", recordId);
  return { method: "PATCH", path, body, key: newKey(), page, brief: false };
}

const BOX_PATH = "/";

const CONTENT = "originalContent";

const isTouch = () => matchMedia("(pointer: coarse)").matches;

const SENSITIVE = new Set([CONTENT, "capturedAt"]);

/** Link texts of the modules that a capture can become. @type {Record<string, Sentence>} */
const BECOMES = {
  action: "anAction",
  memory: "oneMemory",
  commitment: "aCommitment",
  knowledge: "aNote",
};

/** Captures that were sent since the page was opened. @type {Set<string>} */
const ofVisit = new Set();

/** True if the capture already stands below the box. @param {string} recordId */
export function isOfVisit(recordId) {
  return ofVisit.has(recordId);
}

/** The box, and the captures of this visit, newest first. */
export function captureSection() {
  ofVisit.clear();
  const list = h("ul.lines");
  return h("section", captureBox(list), list);
}

/** A line of a capture, which "Undo" removes. @param {any} capture */
export function captureLine(capture) {
  const { recordId, title: stored, payload, createdAt } = capture;
  const title = titleOf(payload?.originalContent ?? "") || stored;
  const undo = actButton({
    path: `${CAPTURES}/${recordId}/archive`,
    name: t("undo"),
    label: `${t("undo")}: ${title}`,
    done: t("captureUndone"),
    then() {
      shown.remove();
      document.querySelector("textarea")?.focus();
    },
  });
  const offers = Object.entries(BECOMES).flatMap(([module, name], index) => {
    const href = `${modulePath(module)}/new?capture=${recordId}`;
    const label = `${t("makeIt")} ${t(name)}: ${title}`;
    return [index > 0 ? ", " : " ", h("a.offer", { href, "aria-label": label }, t(name))];
  });
  const isRouted = payload?.routeStatus === "ROUTED";
  const use = isRouted
    ? t("madeInto", { name: labelOfOne(payload.targetModule) })
    : h("span", t("makeIt"), offers);
  const capturePath = recordPath("capture", recordId);
  const shown = line(link(capturePath, title, "words"), [ago(createdAt), use], undo);
  shown.classList.toggle("done", isRouted);
  return shown;
}

/** @param {Element} list */
function captureBox(list) {
  const field = linesField({
    name: CONTENT,
    label: t("captureLabel"),
    hint: isTouch() ? undefined : t("captureHint"),
    required: true,
    sensitive: true,
  });
  const kept = keptText(field);
  const area = field.element.querySelector("textarea") ?? h("textarea");
  /** @type {LineParts} */
  const parts = {
    list,
    made([capture]) {
      ofVisit.add(capture.recordId);
      return captureLine(capture);
    },
    refused(error, words) {
      putBack(area, words, "\n\n");
      field.refuse(sentenceOf(error));
      announce(sentenceOf(error));
      return kept.now();
    },
  };
  // The box is empty at once: the outbox has the text.
  const submit = () => {
    const sent = captureOf(kept.take());
    field.focus();
    sendLine({ ...parts, ...sent, page: BOX_PATH, brief: true });
    return Promise.resolve();
  };
  const element = form([field], t("keep"), submit, { staysOpen: true });
  element.addEventListener("input", kept.soon);
  area.addEventListener("keydown", (event) => {
    // Input methods use Enter to choose a word; a keyboard on a screen has no other new line.
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || isTouch()) return;
    event.preventDefault();
    if (field.text().trim() !== "") element.requestSubmit();
  });
  area.setAttribute("aria-keyshortcuts", "n");
  void resumeLines({ ...parts, page: BOX_PATH });
  return element;
}

/** Stores the text of the box while it is written. @param {Field} field */
function keptText(field) {
  const found = readDraft(BOX_PATH);
  // A draft without text belongs to another tab.
  let draft = found?.texts[CONTENT] === undefined ? newDraft() : found;
  field.setText(draft.texts[CONTENT] ?? "");
  let isKept = true;
  const end = () => {
    dropDraft(BOX_PATH);
    draft = newDraft();
    isKept = true;
  };
  const pending = delayed(() => {
    const text = field.text();
    if (text === "") return end();
    const { capturedAt = deviceTime(Date.now()) } = draft.texts;
    draft = { ...draft, at: Date.now(), texts: { [CONTENT]: text, capturedAt } };
    isKept = keepDraft(BOX_PATH, draft, SENSITIVE);
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
    /** Empties the box. */
    take() {
      pending.now();
      const { texts } = draft;
      end();
      field.setText("");
      return texts;
    },
  };
}

/** @returns {Draft} */
function newDraft() {
  return { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
}

/** The title is the first line; the text stays as typed. @param {Draft["texts"]} texts */
function captureOf({ originalContent = "", capturedAt }) {
  const payload = {
    contentType: "TEXT",
    originalContent,
    targetModule: "memory",
    sourceApp: "WEB",
    capturedAt,
    routeStatus: "INBOX",
  };
  const title = titleOf(originalContent) || labelOfOne("capture");
  const write = { method: "POST", path: CAPTURES, body: { title, payload } };
  return { title, words: originalContent, writes: [write] };
}

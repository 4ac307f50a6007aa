/** Captures: the box, and the last ones. */

import { actButton } from "../../core/acts/buttons.js";
import { withSession } from "../../core/acts/password.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { announce, fill, h, link } from "../../core/base/elements.js";
import { newKey, requestKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { thisVisit } from "../../core/base/visits.js";
import { delayed, dropDraft, keepDraft, readDraft } from "../../core/browser_outbox/drafts.js";
import { dropQueued, sendOrQueue } from "../../core/browser_outbox/sending.js";
import { labelOfOne, modulePath, recordPath } from "../../core/names.js";
import { form, line, loaded } from "../../fields/controls/forms.js";
import { linesField } from "../../fields/controls/lines.js";
import { ago } from "../../fields/shown/files.js";
import { deviceTime } from "../../logic/local_time.js";

export const CAPTURES = "/api/v2/records/capture";

const TITLE_LENGTH = 200;

/** The first line that is not empty, as a title. @param {string} text */
export function firstLine(text) {
  const line = text.split(/[\n\r\u2028\u2029]/).find((line) => line.trim() !== "") ?? "";
  // A title is one line of printable characters.
  const plain = line.replace(/\p{Cc}+/gu, " ").trim();
  return [...plain].slice(0, TITLE_LENGTH).join("").trim();
}

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
  const { title: stored, payload } = found;
  const text = payload?.originalContent ?? "";
  const title = firstLine(text) || stored;
  switch (moduleCode) {
    case "action":
      return { title, actionTitle: title, ...(text.trim() !== title && { description: text }) };
    case "commitment":
      return { title, content: text };
    case "knowledge": {
      const url = `urn:capture:${recordId}`;
      return { title, sourceTitle: title, sourceType: "NOTE", annotation: text, url };
    }
    default:
      return { title, originalContent: text };
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

const SENSITIVE = new Set([CONTENT, "capturedAt"]);

const SHOWN = 5;

/** Link texts of the modules that a capture can become. @type {Record<string, Sentence>} */
const BECOMES = {
  action: "anAction",
  memory: "oneMemory",
  commitment: "aCommitment",
  knowledge: "aNote",
};

export function captureSection() {
  /** @type {any[]} */
  let items = [];
  const show = () => [
    items.length > 0 && h("h2", t("lastCaptures")),
    items.length > 0 && h("ul.lines", items.map((item) => captureLine(item, remove))),
  ];
  const last = loaded(async () => {
    const data = await get(`${CAPTURES}?limit=${SHOWN}`);
    // A capture may be saved before the list arrives.
    const saved = new Set(items.map(({ recordId }) => recordId));
    const others = data.items.filter(({ recordId }) => !saved.has(recordId));
    items = [...items, ...others].slice(0, SHOWN);
    return show();
  });
  const add = (/** @type {any} */ item) => {
    items = [item, ...items].slice(0, SHOWN);
    fill(last, ...show());
  };
  const remove = (/** @type {any} */ gone) => {
    items = items.filter((item) => item !== gone);
    fill(last, ...show());
    document.querySelector("textarea")?.focus();
  };
  return h("section", captureBox(add), last);
}

/** @param {any} capture @param {(capture: any) => void} remove */
function captureLine(capture, remove) {
  const { recordId, title: stored, payload, createdAt } = capture;
  const title = firstLine(payload?.originalContent ?? "") || stored;
  const undo = actButton({
    path: `${CAPTURES}/${recordId}/archive`,
    name: t("undo"),
    label: `${t("undo")}: ${title}`,
    done: t("captureUndone"),
    then: () => remove(capture),
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

/** @param {(capture: any) => void} onSaved */
function captureBox(onSaved) {
  const found = readDraft(BOX_PATH);
  // A draft without text belongs to another tab.
  let draft = found?.texts[CONTENT] === undefined ? newDraft() : found;
  const field = linesField({
    name: CONTENT,
    label: t("captureLabel"),
    hint: t("captureHint"),
    required: true,
    sensitive: true,
    initial: draft.texts[CONTENT] ?? "",
  });
  let isKept = true;
  const keepAs = (/** @type {Draft} */ next) => {
    draft = next;
    isKept = keepDraft(BOX_PATH, draft, SENSITIVE);
  };
  const pending = delayed(() => {
    const text = field.text();
    if (text === "") {
      dropDraft(BOX_PATH);
      draft = newDraft();
      isKept = true;
      return;
    }
    // Part of the request: must be equal in repetitions.
    const { sent, texts: { [CONTENT]: former, capturedAt = deviceTime(Date.now()) } } = draft;
    const texts = { [CONTENT]: text, capturedAt };
    keepAs({ ...draft, sent: text === former ? sent : null, at: Date.now(), texts });
  });
  watchForm({
    isUnsaved: () => pending.isDue() || !isKept,
    save: pending.now,
    cancel: pending.cancel,
  });

  const submit = async () => {
    const here = thisVisit();
    pending.now();
    const write = captureOf(draft);
    keepAs({ ...draft, sent: write.key });
    const { texts } = draft;
    const sent = await withSession(() => sendOrQueue(write));
    announce(t(sent === null ? "notSentYet" : "kept"));
    if (sent !== null && !here.aborted) onSaved(sent.data);
    // The service or the outbox has it; newer text is the next capture.
    if (readDraft(BOX_PATH)?.sent === write.key) dropDraft(BOX_PATH);
    isKept = true;
    if (here.aborted) return;
    draft = newDraft();
    if (field.text() === texts[CONTENT]) field.setText("");
    pending.now();
    field.focus();
  };
  const element = form([field], t("keep"), submit, { staysOpen: true });
  element.addEventListener("input", pending.soon);
  field.element.addEventListener("keydown", (event) => {
    // Input methods use Enter to choose a word.
    if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
    event.preventDefault();
    element.requestSubmit();
  });
  field.element.querySelector("textarea")?.setAttribute("aria-keyshortcuts", "n");
  return element;
}

/** @returns {Draft} */
function newDraft() {
  return { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
}

/** The title is the first line; the text stays as typed. @param {Draft} draft @returns {Write} */
function captureOf({ seed, texts: { originalContent, capturedAt = "" } }) {
  const payload = {
    contentType: "TEXT",
    originalContent,
    targetModule: "memory",
    sourceApp: "WEB",
    capturedAt,
    routeStatus: "INBOX",
  };
  const title = firstLine(originalContent ?? "") || labelOfOne("capture");
  const request = { method: "POST", path: CAPTURES, body: { title, payload } };
  return { ...request, key: requestKey(seed, request), page: BOX_PATH, brief: true };
}

/**
 * Moves a queued or rejected capture back into the box, above its text. If the browser has no room,
 * it stays queued, and this returns false.
 * @param {any} entry
 */
export async function restoreCapture({ key, body }) {
  const found = readDraft(BOX_PATH);
  const texts = [body.payload.originalContent, found?.texts[CONTENT] ?? ""]
    .filter((text) => text !== "");
  const draft = { ...newDraft(), at: Date.now(), texts: { [CONTENT]: texts.join("\n\n") } };
  if (!keepDraft(BOX_PATH, draft, SENSITIVE)) return false;
  await dropQueued(key);
  return true;
}

/** The box for captures, and the last ones. */

import { actButton, watchForm, withSession } from "../core/acts.js";
import { announce, fill, h, newKey, requestKey, send, t, thisVisit } from "../core/base.js";
import {
  delayed,
  dropDraft,
  dropQueued,
  keepDraft,
  readDraft,
  sendOrQueue,
} from "../core/browser_outbox.js";
import { labelOfOne, modulePath, recordPath } from "../core/names.js";
import { form, line, linesField, loaded } from "../fields/controls.js";
import { ago } from "../fields/shown.js";

/** Captures: their first line, and what a form takes from one. */

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
 * The texts of a new record's form that a capture gives, by module.
 * @param {string} moduleCode
 * @param {string} recordId
 * @returns {Promise<Record<string, string>>}
 */
export async function textsFromCapture(moduleCode, recordId) {
  const { data: { title: stored, payload } } = await send(
    "GET",
    `${CAPTURES}/${encodeURIComponent(recordId)}`,
  );
  const text = payload?.originalContent ?? "";
  const title = firstLine(text) || stored;
  switch (moduleCode) {
    case "action":
      return { title, actionTitle: title, ...(text.trim() !== title && { description: text }) };
    case "commitment":
      return { title, content: text };
    case "knowledge":
      return {
        title,
        sourceTitle: title,
        sourceType: "NOTE",
        annotation: text,
        url: `urn:capture:${recordId}`,
      };
    default:
      return { title, originalContent: text };
  }
}

/** A field whose text stays here until the service has it, and the last captures. */

const PATH = "/";
const CONTENT = "originalContent";
const SENSITIVE = new Set([CONTENT, "capturedAt"]);

const SHOWN = 5;
/** The modules that a capture can be moved to, with the texts of their links. */
const BECOMES = /** @type {const} */ ([
  ["action", "anAction", "makeAction"],
  ["memory", "oneMemory", "makeMemory"],
  ["commitment", "aCommitment", "makeCommitment"],
  ["knowledge", "aNote", "makeNote"],
]);

/** The box and the last captures. @param {Session} session */
export function captureSection(session) {
  /** @type {any[]} */
  let items = [];
  const show = () => [
    items.length > 0 && h("h2", t("lastCaptures")),
    h("ul.lines", items.map((item) => captureLine(session, item, remove))),
  ];
  const last = loaded(async () => {
    const { data } = await send("GET", `${CAPTURES}?limit=${SHOWN}`);
    // A capture may be saved before the list arrives.
    const saved = new Set(items.map(({ recordId }) => recordId));
    const others = data.items.filter((/** @type {any} */ { recordId }) => !saved.has(recordId));
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
  return h("section", captureBox(session, add), last);
}

/** @param {Session} session @param {any} capture @param {(capture: any) => void} remove */
function captureLine(session, capture, remove) {
  const { recordId, title: stored, payload, createdAt } = capture;
  const title = firstLine(payload?.originalContent ?? "") || stored;
  const undo = actButton(session, {
    path: `${CAPTURES}/${recordId}/archive`,
    name: t("undo"),
    label: t("undoThing", { title }),
    done: t("captureUndone"),
    page: PATH,
    then: () => remove(capture),
  });
  const links = BECOMES.map(([module, name, label]) =>
    h("a.offer", {
      href: `${modulePath(module)}/new?capture=${recordId}`,
      "aria-label": t(label, { title }),
    }, t(name))
  );
  return line(
    h("a.words", { href: recordPath("capture", recordId) }, title),
    [ago(createdAt), h("span", t("makeIt"), ...links.flatMap((link) => [" ", link]))],
    undo,
  );
}

/** @param {Session} session @param {(capture: any) => void} onSaved */
function captureBox(session, onSaved) {
  const field = linesField({
    name: CONTENT,
    label: t("captureLabel"),
    hint: t("captureHint"),
    required: true,
    sensitive: true,
  });
  const found = readDraft(PATH);
  // A draft without text belongs to another tab.
  let draft = found?.texts[CONTENT] === undefined ? newDraft() : found;
  let isKept = true;
  field.setText(draft.texts[CONTENT] ?? "");

  const keepAs = (/** @type {Draft} */ next) => {
    draft = next;
    isKept = keepDraft(PATH, draft, SENSITIVE);
  };
  const pending = delayed(() => {
    const text = field.text();
    if (text === "") return empty();
    // Part of the request: must be equal in repetitions.
    const { sent, texts: { [CONTENT]: former, capturedAt = new Date().toISOString() } } = draft;
    const texts = { [CONTENT]: text, capturedAt };
    keepAs({ ...draft, sent: text === former ? sent : null, at: Date.now(), texts });
  });
  const empty = () => {
    dropDraft(PATH);
    draft = newDraft();
    isKept = true;
  };
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
    const sent = await withSession(session.account.email, () => sendOrQueue(write));
    announce(t(sent === null ? "notSentYet" : "kept"));
    if (sent !== null && !here.aborted) onSaved(sent.data);
    // The service or the outbox has it; newer text is the next capture.
    if (readDraft(PATH)?.sent === write.key) dropDraft(PATH);
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
  return { ...request, key: requestKey(seed, request), page: PATH, brief: true };
}

/**
 * Moves a queued or rejected capture back into the box, above its text.
 * @param {QueuedWrite} entry
 * @returns {Promise<boolean>} false if the browser has no room: it stays queued.
 */
export async function restoreCapture({ key, body }) {
  const found = readDraft(PATH);
  const { originalContent } = /** @type {any} */ (body).payload;
  const texts = [originalContent, found?.texts[CONTENT] ?? ""].filter((text) => text !== "");
  const draft = { ...newDraft(), at: Date.now(), texts: { [CONTENT]: texts.join("\n\n") } };
  if (!keepDraft(PATH, draft, SENSITIVE)) return false;
  await dropQueued(key);
  return true;
}

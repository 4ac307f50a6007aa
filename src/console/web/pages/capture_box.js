/** A field whose text stays here until the service has it. */

import { newKey } from "../core/api.js";
import { announce } from "../core/dom.js";
import { delayed, dropDraft, keepDraft, readDraft } from "../core/drafts.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { watchForm } from "../core/unsaved_forms.js";
import { dropQueued, sendOrQueue } from "../core/browser_outbox.js";
import { thisVisit } from "../core/visit.js";
import { form } from "../fields/form.js";
import { linesField } from "../fields/text.js";
import { requestKey } from "../logic/request_key.js";

const PATH = "/";
export const CAPTURES = "/api/v2/records/capture";
const CONTENT = "originalContent";
const SENSITIVE = new Set([CONTENT, "capturedAt"]);

/** @param {import("../core/session.js").Session} session */
export function captureBox(session) {
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

  const keepAs = (/** @type {import("../core/drafts.js").Draft} */ next) => {
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

/** @returns {import("../core/drafts.js").Draft} */
function newDraft() {
  return { base: null, seed: newKey(), sent: null, at: 0, texts: {} };
}

/**
 * The text is sensitive and a title is not: the title is only the time.
 *
 * @param {import("../core/drafts.js").Draft} draft
 * @returns {import("../core/outbox_parts.d.ts").Write}
 */
function captureOf({ seed, texts: { originalContent, capturedAt = "" } }) {
  const payload = {
    contentType: "TEXT",
    originalContent,
    targetModule: "memory",
    sourceApp: "WEB",
    capturedAt,
    routeStatus: "INBOX",
  };
  const title = t("captureTitle", { time: timeText(capturedAt) });
  const request = { method: "POST", path: CAPTURES, body: { title, payload } };
  return { ...request, key: requestKey(seed, request), page: PATH, brief: true };
}

/**
 * Moves a queued or rejected capture back into the box, above its text.
 *
 * @param {import("../core/browser_outbox.js").QueuedWrite} entry
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

/** A thought, kept before it is gone: one field, whose words stay here until the service has them. */

import { announce } from "../core/announce.js";
import { newKey } from "../core/api.js";
import { dropDraft, keepDraft, readDraft } from "../core/drafts.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { sendOrKeep } from "../core/unsent.js";
import { form } from "../fields/form.js";
import { linesField } from "../fields/text.js";

const PATH = "/";
const CONTENT = "originalContent";
const SENSITIVE = new Set([CONTENT, "capturedAt"]);
const DRAFT_DELAY_MS = 300;

/** @param {import("../core/session.js").Session} session */
export function captureBox(session) {
  const field = linesField({
    ...{ name: CONTENT, label: t("captureLabel"), hint: t("captureHint") },
    ...{ required: true, sensitive: true },
  });
  const found = readDraft(PATH);
  // A draft without words is that of another tab.
  let draft = found?.texts[CONTENT] === undefined ? newDraft() : found;
  let timer = 0;
  field.setText(draft.texts[CONTENT] ?? "");

  const keep = () => {
    clearTimeout(timer);
    // The time is part of what is sent, so it stays the same however often it is sent.
    const capturedAt = draft.texts.capturedAt ?? new Date().toISOString();
    draft = { ...draft, at: Date.now(), texts: { [CONTENT]: field.text(), capturedAt } };
    if (field.text() === "") empty();
    else keepDraft(PATH, draft, SENSITIVE);
  };
  const empty = () => {
    dropDraft(PATH);
    draft = newDraft();
  };
  const submit = async () => {
    keep();
    const { key, texts } = draft;
    const sent = await withSession(session.account.email, () => sendCapture(texts, key));
    // The service or the outbox has it from now on; what was typed meanwhile is the next thought.
    const next = field.text() === texts[CONTENT] ? "" : field.text();
    empty();
    field.setText(next);
    if (next !== "") keep();
    announce(t(sent === null ? "notSentYet" : "kept"));
    field.focus();
  };
  const element = form([field], t("keep"), submit);
  element.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, DRAFT_DELAY_MS);
  });
  field.element.addEventListener("keydown", (event) => {
    // An input method may use Enter to choose a word.
    if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
    event.preventDefault();
    element.requestSubmit();
  });
  field.element.querySelector("textarea")?.setAttribute("aria-keyshortcuts", "n");
  return element;
}

/** @returns {import("../core/drafts.js").Draft} */
function newDraft() {
  return { base: null, key: newKey(), at: 0, texts: {} };
}

/**
 * The words are sensitive and a title is not, so that the title says no more than when.
 *
 * @param {Readonly<Record<string, string>>} texts
 * @param {string} key
 */
function sendCapture({ originalContent, capturedAt = "" }, key) {
  const payload = {
    ...{ contentType: "TEXT", originalContent, targetModule: "memory", sourceApp: "WEB" },
    ...{ capturedAt, routeStatus: "INBOX" },
  };
  const title = t("captureTitle", { time: timeText(capturedAt) });
  const body = { title, payload };
  return sendOrKeep({
    ...{ method: "POST", path: "/api/v2/records/capture", body, key },
    ...{ page: PATH, brief: true },
  });
}

/** Captures, unsaved text in this browser, and drafts of memories on the service. */

import { actButton, copyButton, watchForm, withSession } from "../core/acts.js";
import {
  announce,
  failureText,
  fill,
  get,
  h,
  link,
  may,
  newKey,
  readAll,
  readOrNull,
  requestKey,
  send,
  t,
  thisVisit,
  visit,
} from "../core/base.js";
import {
  delayed,
  dropDraft,
  dropQueued,
  keepDraft,
  listUnsynced,
  onResult,
  readDraft,
  sendAgain,
  sendOrQueue,
} from "../core/browser_outbox.js";
import { ask, form, line, linesField, loaded } from "../fields/controls.js";
import { ago, pair, readableText, timeText, veiled } from "../fields/shown.js";
import { deviceTime } from "../logic/local_time.js";
import { label, labelOfOne, moduleOfPath, modulePath, recordPath } from "../core/names.js";

const CAPTURES = "/api/v2/records/capture";
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
async function restoreCapture({ key, body }) {
  const found = readDraft(BOX_PATH);
  const texts = [body.payload.originalContent, found?.texts[CONTENT] ?? ""]
    .filter((text) => text !== "");
  const draft = { ...newDraft(), at: Date.now(), texts: { [CONTENT]: texts.join("\n\n") } };
  if (!keepDraft(BOX_PATH, draft, SENSITIVE)) return false;
  await dropQueued(key);
  return true;
}

export const DRAFTS = "/api/v2/memory/drafts";

const PAGE = 100;

/**
 * By its identifier; otherwise the newest open draft of the memory.
 * @param {string | null} draftId
 * @param {string | undefined} memoryId
 */
export async function findDraft(draftId, memoryId) {
  if (draftId !== null) return get(`${DRAFTS}/${encodeURIComponent(draftId)}`);
  if (memoryId === undefined) return null;
  const drafts = await readAll(`${DRAFTS}?limit=${PAGE}`);
  return drafts.find((draft) => draft.memoryId === memoryId) ?? null;
}

/** The service keeps the text. @param {string} draftId */
export async function discardDraft(draftId) {
  if (draftId !== "") await send("POST", `${DRAFTS}/${draftId}/discard`, { body: {} });
  return true;
}

/** Members that forms add to the user's text. */
const NOT_SHOWN = "expectedRevision contentType targetModule sourceApp routeStatus capturedAt"
  .split(" ");

/** In the body's order. @type {(body: unknown) => { name: string, text: string }[]} */
export function requestTexts(body) {
  return Object.entries(body ?? {}).flatMap(([name, value]) => {
    if (NOT_SHOWN.includes(name)) return [];
    if (typeof value !== "object" || value === null) return [{ name, text: String(value ?? "") }];
    if (!Array.isArray(value)) return requestTexts(value);
    const isPlain = value.every((item) => typeof item !== "object");
    return [{ name, text: isPlain ? value.join("\n") : JSON.stringify(value, null, 2) }];
  }).filter(({ text }) => text !== "");
}

/** @param {QueuedWrite} entry */
function queuedLine(entry) {
  const { key, page, at, refused, brief } = entry;
  const name = `${nameOf(page)}, ${timeText(at)}`;
  onResult(key, redraw);
  return h(
    "li",
    link(page, nameOf(page)),
    h("span.small", refused === null ? t("waiting") : failureText(refused)),
    brief ? veiled(name, () => words(entry)) : words(entry),
    refused !== null && acts(entry, name),
    h("span.quiet.small", timeText(at)),
  );
}

/** @param {QueuedWrite} entry */
function words({ body }) {
  const texts = requestTexts(body);
  return h(
    "div",
    h(
      "dl.values",
      texts.flatMap(({ name, text }) => pair(label(name), h("span.words", readableText(text)))),
    ),
    copyButton(texts.map(({ text }) => text).join("\n\n"), "plain"),
  );
}

/** @param {QueuedWrite} entry @param {string} name */
function acts(entry, name) {
  /** @type {(text: string, act: () => Promise<unknown>) => Element} */
  const button = (text, act) => {
    const onclick = async () => {
      if (await act() !== false) redraw();
    };
    return h("button.plain", { "aria-label": `${text}: ${name}`, onclick }, text);
  };
  const edit = async () => {
    if (await restoreCapture(entry)) await visit(entry.page);
    else announce(t("noRoom"));
    return false;
  };
  const discard = () =>
    ask(
      { title: t("discardQuestion"), text: t("queuedWriteLost"), action: t("discardNow") },
      async () => {
        if (readDraft(entry.page)?.sent === entry.key) dropDraft(entry.page);
        await dropQueued(entry.key);
      },
    );
  return [
    button(t("sendAgain"), () => sendAgain(entry)),
    // Other text is still in its form.
    entry.path === CAPTURES && button(t("edit"), edit),
    button(t("discard"), discard),
  ];
}

const PATH = "/console/drafts";
const NO_DRAFTS = { items: [], nextCursor: null };
const MAX_LENGTH = 80;

/** @type {Page} */
export async function drafts({ query }) {
  const { queued, drafts: stored } = await listUnsynced();
  const here = [
    ...queued.map(queuedLine),
    ...stored.map(({ path, at }) => lineOfDrafts(path, nameOf(path), timeText(at))),
  ];
  const cursor = query.get("cursor");
  const asked = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  // Without a connection the page has only the drafts in this browser.
  const read = may("memory.read") ? await readOrNull(`${DRAFTS}?${asked}`) : NO_DRAFTS;
  const { items, nextCursor } = read ?? NO_DRAFTS;
  return {
    title: t("drafts"),
    body: [
      here.length + items.length === 0 && h("p.quiet", t("noDrafts")),
      ...list(t("draftsText"), here),
      ...list(t("memoryDraftsText"), items.map(memoryLine)),
      nextCursor !== null && h("p", link(`${PATH}?cursor=${nextCursor}`, t("older"))),
      read === null && h("p.note", t("memoryDraftsUnread")),
    ],
  };
}

function redraw() {
  if (location.pathname === PATH) void visit(PATH);
}

/** @param {string} path */
function nameOf(path) {
  const module = moduleOfPath(path);
  // The home page holds a capture.
  const name = labelOfOne(module ?? "capture");
  return t(module === null || /\/new(\?|$)/.test(path) ? "newOf" : "changeIn", { name });
}

/** @param {string} text @param {readonly Element[]} lines */
function list(text, lines) {
  return lines.length === 0 ? [] : [h("p", text), h("ul.lines", lines)];
}

/** @param {any} draft */
function memoryLine({ draftId, memoryId, content, updatedAt }) {
  const page = memoryId === null ? "new" : `${memoryId}/edit`;
  const href = `/console/memories/${page}?draft=${draftId}`;
  const time = timeText(updatedAt);
  if (content?.title) return lineOfDrafts(href, content.title, time, { look: "words" });
  if (content === null) return lineOfDrafts(href, t("hidden"), time);
  // The text is hidden, so only the time distinguishes drafts.
  const name = t(memoryId === null ? "newOf" : "changeIn", { name: labelOfOne("memory") });
  const text = (content.originalContent ?? content.currentContent ?? "").trim();
  const begin = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const label = `${name}, ${time}`;
  const words = text !== "" && veiled(label, () => h("span.words", begin));
  return lineOfDrafts(href, name, time, { label, words });
}

/**
 * @param {string} href
 * @param {string} name
 * @param {string} time
 * @param {DraftLineParts} [parts]
 */
function lineOfDrafts(href, name, time, { look, label, words = false } = {}) {
  const attributes = { href, class: look, "aria-label": label };
  return h("li", h("a", attributes, name), words, h("span.quiet.small", time));
}

/** Captures, unsaved text in this browser, and drafts of memories on the service. */

import { actButton, watchForm, withSession } from "../core/acts.js";
import {
  announce,
  failureText,
  fill,
  get,
  h,
  hasCode,
  may,
  newKey,
  readAll,
  requestKey,
  send,
  t,
  thisVisit,
  timeText,
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
import { ago, veiled } from "../fields/shown.js";
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
 * The texts of a new record's form that a capture gives, by module; none if it was erased, because
 * the form may have a draft.
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

/**
 * The write that marks a capture after a record was made of it.
 * @param {string} recordId
 * @param {string} moduleCode
 * @returns {Write}
 */
export function routing(recordId, moduleCode) {
  const path = `${CAPTURES}/${encodeURIComponent(recordId)}`;
  const body = { payload: { routeStatus: "ROUTED", targetModule: moduleCode } };
  const page = recordPath("capture", recordId);
  return { method: "PATCH", path, body, key: newKey(), page, brief: false };
}

const CAPTURE_BOX_PATH = "/";
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
    label: t("undoThing", { title }),
    done: t("captureUndone"),
    page: CAPTURE_BOX_PATH,
    then: () => remove(capture),
  });
  const isRouted = payload?.routeStatus === "ROUTED";
  const links = BECOMES.map(([module, name, label]) =>
    h("a.offer", {
      href: `${modulePath(module)}/new?capture=${recordId}`,
      "aria-label": t(label, { title }),
    }, t(name))
  );
  const shown = line(
    h("a.words", { href: recordPath("capture", recordId) }, title),
    [
      ago(createdAt),
      isRouted ? t("madeInto", { name: labelOfOne(payload.targetModule) }) : h(
        "span",
        t("makeIt"),
        ...links.flatMap((link, index) => [index > 0 ? ", " : " ", link]),
      ),
    ],
    undo,
  );
  shown.classList.toggle("done", isRouted);
  return shown;
}

/** @param {(capture: any) => void} onSaved */
function captureBox(onSaved) {
  const field = linesField({
    name: CONTENT,
    label: t("captureLabel"),
    hint: t("captureHint"),
    required: true,
    sensitive: true,
  });
  const found = readDraft(CAPTURE_BOX_PATH);
  // A draft without text belongs to another tab.
  let draft = found?.texts[CONTENT] === undefined ? newDraft() : found;
  let isKept = true;
  field.setText(draft.texts[CONTENT] ?? "");

  const keepAs = (/** @type {Draft} */ next) => {
    draft = next;
    isKept = keepDraft(CAPTURE_BOX_PATH, draft, SENSITIVE);
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
    dropDraft(CAPTURE_BOX_PATH);
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
    const sent = await withSession(() => sendOrQueue(write));
    announce(t(sent === null ? "notSentYet" : "kept"));
    if (sent !== null && !here.aborted) onSaved(sent.data);
    // The service or the outbox has it; newer text is the next capture.
    if (readDraft(CAPTURE_BOX_PATH)?.sent === write.key) dropDraft(CAPTURE_BOX_PATH);
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
  return { ...request, key: requestKey(seed, request), page: CAPTURE_BOX_PATH, brief: true };
}

/**
 * Moves a queued or rejected capture back into the box, above its text.
 * @param {QueuedWrite} entry
 * @returns {Promise<boolean>} false if the browser has no room: it stays queued.
 */
async function restoreCapture({ key, body }) {
  const found = readDraft(CAPTURE_BOX_PATH);
  const { originalContent } = /** @type {any} */ (body).payload;
  const texts = [originalContent, found?.texts[CONTENT] ?? ""].filter((text) => text !== "");
  const draft = { ...newDraft(), at: Date.now(), texts: { [CONTENT]: texts.join("\n\n") } };
  if (!keepDraft(CAPTURE_BOX_PATH, draft, SENSITIVE)) return false;
  await dropQueued(key);
  return true;
}

export const TEXTS = "/api/v2/memory/texts";
export const DRAFTS = "/api/v2/memory/drafts";

const PAGE = 100;

/** @type {(cursor: string | null) => Promise<Data>} */
async function openDrafts(cursor) {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  return await get(`${DRAFTS}?${query}`);
}

/**
 * By its identifier; otherwise the newest open draft of the memory.
 * @param {string | null} draftId
 * @param {string | undefined} memoryId
 */
export async function findDraft(draftId, memoryId) {
  if (draftId !== null) return await get(`${DRAFTS}/${encodeURIComponent(draftId)}`);
  if (memoryId === undefined) return null;
  const drafts = await readAll(`${DRAFTS}?limit=${PAGE}`);
  return drafts.find((draft) => draft.memoryId === memoryId) ?? null;
}

/** @param {any} memory @param {string} time */
export async function revisionAt(memory, time) {
  if (memory.updatedAt <= time) return memory;
  const revisions = await readAll(`${TEXTS}/${memory.memoryId}/revisions?limit=${PAGE}`);
  return revisions.find(({ updatedAt }) => updatedAt <= time) ?? revisions.at(-1);
}

/** The service keeps the text. @param {string} draftId */
export async function discardDraft(draftId) {
  if (draftId === "") return true;
  await send("POST", `${DRAFTS}/${draftId}/discard`, { body: {} });
  return true;
}

/** Members that forms add to the user's text. */
const NOT_SHOWN = new Set([
  "expectedRevision",
  "contentType",
  "targetModule",
  "sourceApp",
  "routeStatus",
  "capturedAt",
]);

/**
 * By field name, in the body's order.
 * @param {unknown} body
 * @returns {{ name: string, text: string }[]}
 */
export function requestTexts(body) {
  return Object.entries(body ?? {}).flatMap(([name, value]) => {
    if (NOT_SHOWN.has(name)) return [];
    if (typeof value !== "object" || value === null) return [{ name, text: String(value ?? "") }];
    if (!Array.isArray(value)) return requestTexts(value);
    const isPlain = value.every((item) => typeof item !== "object");
    return [{ name, text: isPlain ? value.join("\n") : JSON.stringify(value, null, 2) }];
  }).filter(({ text }) => text !== "");
}

/**
 * @param {readonly QueuedWrite[]} entries
 * @param {(path: string) => string} nameOf
 * @param {() => void} redraw
 */
function outboxLines(entries, nameOf, redraw) {
  return entries.map((entry) => {
    const { key, page, at, refused, brief } = entry;
    const name = `${nameOf(page)}, ${timeText(at)}`;
    onResult(key, redraw);
    return h(
      "li",
      h("a", { href: page }, nameOf(page)),
      h("span.small", refused === null ? t("waiting") : failureText(refused)),
      brief ? veiled(name, () => words(entry)) : words(entry),
      refused !== null && acts(entry, name, redraw),
      h("span.quiet.small", timeText(at)),
    );
  });
}

/** @param {QueuedWrite} entry */
function words({ body }) {
  const texts = requestTexts(body);
  const copy = async () => {
    await navigator.clipboard.writeText(texts.map(({ text }) => text).join("\n\n"));
    announce(t("copied"));
  };
  return h(
    "div",
    h(
      "dl.values",
      texts.map(({ name, text }) => [h("dt", label(name)), h("dd.words", text)]).flat(),
    ),
    // Missing on insecure origins.
    navigator.clipboard !== undefined &&
      h("button.plain", { onclick: copy }, t("copy")),
  );
}

/** @param {QueuedWrite} entry @param {string} name @param {() => void} redraw */
function acts(entry, name, redraw) {
  const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) => {
    const onclick = async () => {
      if (await act() !== false) redraw();
    };
    const label = `${text}: ${name}`;
    return h("button.plain", { "aria-label": label, onclick }, text);
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
const NO_DRAFTS = { items: [], nextCursor: null, isUnread: false };
const MAX_LENGTH = 80;

/** @type {Page} */
export async function drafts({ query }) {
  const { queued, drafts: stored } = await listUnsynced();
  const here = [
    ...outboxLines(queued, nameOf, redraw),
    ...stored.map(({ path, at }) => lineOfDrafts(path, nameOf(path), timeText(at))),
  ];
  const { items, nextCursor, isUnread } = may("memory.read")
    ? await memoryDrafts(query.get("cursor"))
    : NO_DRAFTS;
  const older = nextCursor !== null &&
    h("p", h("a", { href: `${PATH}?cursor=${nextCursor}` }, t("older")));
  const body = here.length + items.length === 0 ? [h("p.quiet", t("noDrafts"))] : [
    ...list(t("draftsText"), here),
    ...list(t("memoryDraftsText"), items.map(memoryLine)),
    older,
  ];
  const unread = isUnread && h("p.note", t("memoryDraftsUnread"));
  return { title: t("drafts"), body: [...body, unread] };
}

/** Without a connection the page has only what is in this browser. @param {string | null} cursor */
async function memoryDrafts(cursor) {
  try {
    return { ...await openDrafts(cursor), isUnread: false };
  } catch (error) {
    if (!hasCode(error, "NETWORK_ERROR")) throw error;
    return { ...NO_DRAFTS, isUnread: true };
  }
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
  if (content?.title) return lineOfDrafts(href, content.title, time, { voice: "words" });
  if (content === null) return lineOfDrafts(href, t("hidden"), time);
  // The text is hidden, so only the time tells drafts apart.
  const name = t(memoryId === null ? "newOf" : "changeIn", { name: labelOfOne("memory") });
  const text = (content.originalContent ?? content.currentContent ?? "").trim();
  const begin = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const words = text !== "" &&
    veiled(`${name}, ${time}`, () => h("span.words", begin));
  return lineOfDrafts(href, name, time, { words, called: `${name}, ${time}` });
}

/**
 * @param {string} href
 * @param {string} name
 * @param {string} time
 * @param {DraftLineParts} [more] `called` tells links of the
 *   same name apart.
 */
function lineOfDrafts(href, name, time, { voice, called, words = false } = {}) {
  return h(
    "li",
    h("a", { href, class: voice, "aria-label": called }, name),
    words,
    h("span.quiet.small", time),
  );
}

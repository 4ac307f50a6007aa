/** Lines that are sent in the background: each is in its list from Enter on. */

import { withSession } from "../acts/password.js";
import { watchForm } from "../acts/unsaved.js";
import { ApiError, hasCode } from "../base/api.js";
import { announce, fill, h } from "../base/elements.js";
import { icon } from "../base/icons.js";
import { newKey } from "../base/keys.js";
import { failureText, refusalText, t } from "../base/language.js";
import { wait } from "../base/timing.js";
import { dropQueued, flushNow, listQueued, onResult, queueLine, sendWrite } from "./sending.js";

/** Words return without the sentences of rules if these take longer. */
const SENTENCES_MS = 3_000;

/**
 * Shows a line first in its list, as "Saving…", and sends its writes in order, after those of
 * earlier lines. It waits in the outbox while the service cannot be reached.
 * @param {SentLine} sent
 */
export function sendLine({ title, words = title, writes, page, brief = false, ...parts }) {
  const keyed = writes.map(({ words: own = "", ...write }, index) => ({
    ...write,
    key: newKey(),
    page,
    brief,
    line: { title, words: index === 0 ? words : own },
  }));
  const shown = showLine(title, t("saving"), parts.list);
  follow(shown, { writes: keyed, answers: [] }, parts);
  void sendAll(shown, keyed, parts);
}

/**
 * Shows the lines of a page that were not sent when it was left, and returns refused ones.
 * @param {LineParts & { page: string }} resumed
 */
export async function resumeLines({ page, ...parts }) {
  const entries = await listQueued();
  const lines = entries.filter((one) => one.line !== undefined && one.page === page);
  for (const entry of lines) {
    const { line, refused, answers = [] } = entry;
    const shown = showLine(line?.title ?? "", t("waiting"), parts.list);
    const progress = { writes: writesOf(entry), answers: [...answers] };
    if (refused === null) follow(shown, progress, parts);
    else await giveBack(shown, progress, parts, new ApiError(refused));
  }
}

/** Words that were put back into a box, and are still its beginning. */
const returned = new WeakMap();

/**
 * Inserts refused words above newer text, after words that were refused earlier. The caret and
 * the selection do not move.
 * @param {HTMLTextAreaElement | HTMLInputElement} box
 * @param {string} words
 * @param {string} between
 */
export function putBack(box, words, between) {
  const { value } = box;
  const former = returned.get(box) ?? "";
  const isThere = former !== "" && (value === former || value.startsWith(former + between));
  const at = isThere ? former.length : 0;
  const text = isThere ? between + words : words + (value === "" ? "" : between);
  box.setRangeText(text, at, at, "preserve");
  returned.set(box, isThere ? former + text : words);
}

/** @type {typeof import("../../fields/refusals.js").ruleText} */
let ruleText = (rule) => rule;

/** Before the first refusal that names a rule. Without a connection the code has to do. */
async function loadSentences() {
  const refusals = await import("../../fields/refusals.js");
  await refusals.loadRules();
  ({ ruleText } = refusals);
}

/** The sentences of its rules, or else of its code. @param {ApiError} error */
export function sentenceOf(error) {
  if (error.code === "NO_ROOM") return t("noRoom");
  const { rules = [], limit } = error.details;
  const texts = rules.map((/** @type {string} */ rule) => ruleText(rule, { limit }));
  const known = texts.filter((/** @type {string} */ text) => !rules.includes(text));
  return known.join(" ") || refusalText(error);
}

/** @type {(title: string, state: string, list: Element) => ShownLine} */
function showLine(title, state, list) {
  const note = h("div.quiet.small", state);
  const anchor = h("span.anchor.symbol", icon("later"));
  const element = h("li.sending", anchor, h("div", h("span.words", title), note));
  list.prepend(element);
  return { element, say: (text) => fill(note, text) };
}

/** @param {ShownLine} shown @param {readonly Write[]} writes @param {LineParts} parts */
async function sendAll(shown, writes, parts) {
  try {
    if (!await queueLine(chained(writes))) return await sendUnqueued(shown, writes, parts);
    await withSession(flushNow);
    if (!await isWaiting(writes)) return;
    announce(t("notSentYet"));
  } catch (error) {
    if (!hasCode(error, "AUTH_REQUIRED")) throw error;
    announce(failureText("AUTH_REQUIRED"));
  }
  shown.say(t("waiting"));
}

/** @param {readonly Write[]} writes @returns {Write} */
function chained(writes) {
  const [first, ...others] = /** @type {readonly [Write]} */ (writes);
  return others.length === 0 ? first : { ...first, next: chained(others) };
}

/** @param {Write} write @returns {Write[]} */
function writesOf(write) {
  return [write, ...write.next === undefined ? [] : writesOf(write.next)];
}

/** @param {readonly Write[]} writes */
async function isWaiting(writes) {
  const queued = await listQueued();
  return queued.some((one) => one.refused === null && writes.some(({ key }) => key === one.key));
}

/** Refused lines return in the order of Enter, even if they did not fit into the outbox. */
let lastUnqueued = Promise.resolve();

/**
 * Only the page has them: it warns before it is left.
 * @param {ShownLine} shown @param {readonly Write[]} writes @param {LineParts} parts
 */
function sendUnqueued(shown, writes, parts) {
  let isRunning = true;
  watchForm({ isUnsaved: () => isRunning });
  const send = () => sendNow(shown, writes, parts).finally(() => isRunning = false);
  return lastUnqueued = lastUnqueued.then(send, send);
}

/** @param {ShownLine} shown @param {readonly Write[]} writes @param {LineParts} parts */
async function sendNow(shown, writes, parts) {
  /** @type {any[]} */
  const answers = [];
  try {
    for (const write of writes) {
      const { data } = await withSession(() => sendWrite({ ...write, answers }));
      answers.push(data);
    }
    finish(shown, answers, parts);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await giveBack(shown, { writes: writes.slice(answers.length), answers }, parts, error);
  }
}

/** @param {ShownLine} shown @param {LineProgress} progress @param {LineParts} parts */
function follow(shown, { writes, answers }, parts) {
  let last = Promise.resolve();
  const receive = async (/** @type {number} */ index, /** @type {WriteResult} */ result) => {
    const { refused, data } = result;
    const [write, ...others] = writes.slice(index);
    if (write === undefined) return;
    if (refused !== null) {
      const error = result.error instanceof ApiError ? result.error : new ApiError(refused);
      return await giveBack(shown, { writes: [write, ...others], answers }, parts, error);
    }
    // Another tab sent it: the service repeats its answer.
    answers.push(data ?? (await sendWrite({ ...write, answers })).data);
    if (others.length === 0) finish(shown, answers, parts);
  };
  for (const [index, { key }] of writes.entries()) {
    const stop = onResult(key, (result) => {
      stop();
      last = last.then(() => receive(index, result));
    });
  }
}

/** @param {ShownLine} shown @param {readonly any[]} answers @param {LineParts} parts */
function finish({ element }, answers, { list, made }) {
  replace(element, made(answers), list);
  // A line of Add is announced itself.
  if (list.closest("[role=status]") === null) announce(t("kept"));
}

/** @param {Element} element @param {Element} line @param {Element} list */
function replace(element, line, list) {
  // A list that was opened since may have it already.
  const href = line.querySelector("a")?.getAttribute("href");
  const links = [...list.querySelectorAll(":scope > li > div > a:first-child")];
  links.find((link) => link.getAttribute("href") === href)?.closest("li")?.remove();
  element.replaceWith(line);
}

/** While an input method composes a word, which a change of the box would break. */
let composed = Promise.resolve();

addEventListener("compositionstart", () => {
  composed = new Promise((resolve) => {
    addEventListener("compositionend", () => setTimeout(resolve), { once: true });
  });
});

/** Refused lines return in their order, although each may wait for the sentences of rules. */
let returning = Promise.resolve();

/** @type {GiveBack} */
function giveBack(...refused) {
  const give = () => giveBackNext(...refused);
  return returning = returning.then(give, give);
}

/**
 * Shows the records that were stored, and returns the words of the rest. If they cannot be kept,
 * the write stays in Drafts.
 * @type {GiveBack}
 */
async function giveBackNext({ element }, { writes, answers }, { list, made, refused }, error) {
  const rules = error.details.rules === undefined ? null : loadSentences();
  await Promise.race([rules, wait(SENTENCES_MS)]).catch(() => {});
  await composed;
  if (answers.length === 0) element.remove();
  else replace(element, made(answers), list);
  const all = writes.map(({ line }) => line?.words ?? "");
  // The first write of a line has all its words.
  const words = answers.length === 0 ? all[0] : all.join(" ");
  const isKept = refused(error, words ?? "", writes);
  if (isKept !== false && writes[0] !== undefined) await dropQueued(writes[0].key);
}

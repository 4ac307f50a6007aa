/** One press records a mood; another one corrects it. */

import { actButton } from "../../core/acts/buttons.js";
import { withSession } from "../../core/acts/password.js";
import { announceFailure } from "../../core/base/api.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { newKey } from "../../core/base/keys.js";
import { t } from "../../core/base/language.js";
import { listQueued, onResult, sendAgain, sendOrQueue } from "../../core/browser_outbox/sending.js";
import { label, modulePath } from "../../core/names.js";
import { dayText } from "../../fields/shown/times.js";
import { deviceTime } from "../../logic/local_time.js";

const API = "/api/v2/records/health";
const MOST = 10;

export function moodSection() {
  /** @type {any} The record of this visit; null without one. */
  let written = null;
  /** One that waits in the outbox. @type {Write | null} */
  let waiting = null;
  let kept = 0;
  let last = Promise.resolve();
  const undo = h("span");
  const show = (/** @type {number} */ value) => {
    for (const [index, dot] of dots.entries()) {
      dot.setAttribute("aria-checked", String(index + 1 === value));
      dot.tabIndex = index + 1 === Math.max(1, value) ? 0 : -1;
    }
    kept = value;
  };
  const reset = () => {
    written = null;
    show(0);
    fill(undo);
    dots[0]?.focus();
  };
  const saved = (/** @type {any} */ record) => {
    written = record;
    fill(undo, undoButton(record, reset));
  };
  const save = async (/** @type {number} */ value) => {
    const correct = waiting !== null && await correctQueued(waiting, value);
    const write = written === null ? creation(value) : correction(written, value);
    const sent = correct ? null : await sendOrQueue(write);
    announce(t(sent === null ? "notSentYet" : "kept"));
    if (sent !== null) return saved(sent.data);
    if (correct || written !== null) return;
    waiting = write;
    onResult(write.key, ({ data }) => data && saved(data));
  };
  const choose = (/** @type {number} */ value) => {
    const before = kept;
    show(value);
    last = last.then(() => withSession(() => save(value))).catch((error) => {
      show(before);
      announceFailure(error);
    });
  };
  const dots = Array.from({ length: MOST }, (_, index) => dot(index + 1, choose));
  show(0);
  const about = { role: "radiogroup", "aria-label": t("howAreYou"), onkeydown: moveFocus };
  return h("section", h("h2", t("howAreYou")), h("div.scale", about, dots), undo);
}

/** @param {number} value @param {(value: number) => void} choose */
function dot(value, choose) {
  const name = `${t("howAreYou")}, ${t("ofTen", { n: value })}`;
  return h("button", { role: "radio", "aria-label": name, onclick: () => choose(value) }, value);
}

/** An arrow only moves the focus, because a choice is written. @param {KeyboardEvent} event */
function moveFocus(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const dots = [.../** @type {Element} */ (event.currentTarget).querySelectorAll("button")];
  const at = dots.findIndex((dot) => dot === document.activeElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  dots.at((at + step) % dots.length)?.focus();
}

/** @param {number} value @returns {Write} */
function creation(value) {
  const now = Date.now();
  const payload = {
    metricType: "MOOD",
    value,
    unit: "of 10",
    measuredAt: deviceTime(now),
    quality: "SELF_REPORTED",
  };
  const body = { title: `${label("MOOD")}, ${dayText(now)}`, payload };
  // As a typed line, whose answer a correction in the outbox can use.
  const line = { title: body.title, words: `${label("MOOD")} ${value}` };
  return { ...writeOf("POST", API, body), page: modulePath("health"), line };
}

/** @param {any} record @param {number} value */
function correction({ recordId, revision }, value) {
  return writeOf("PATCH", `${API}/${recordId}`, { payload: { value }, expectedRevision: revision });
}

/** @param {string} method @param {string} path @param {object} body @returns {Write} */
function writeOf(method, path, body) {
  return { method, path, body, key: newKey(), page: `${modulePath("health")}/new`, brief: false };
}

/** False if it was sent by now. @param {Write} write @param {number} value */
async function correctQueued(write, value) {
  const queued = (await listQueued()).find(({ key }) => key === write.key);
  if (queued === undefined || queued.refused !== null) return false;
  const path = [`${API}/`, { answer: 0, member: "recordId" }];
  const next = { ...writeOf("PATCH", API, { payload: { value } }), path };
  await sendAgain({ ...queued, next });
  return true;
}

/** @param {any} record @param {() => void} then */
function undoButton({ recordId, title }, then) {
  return actButton({
    path: `${API}/${recordId}/archive`,
    name: t("undo"),
    label: `${t("undo")}: ${title}`,
    done: t("moodUndone"),
    then,
  });
}

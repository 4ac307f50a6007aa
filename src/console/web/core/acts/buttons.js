/** Buttons that write. */

import { ask } from "../../fields/controls/forms.js";
import { announceFailure } from "../base/api.js";
import { announceChange } from "../base/changes.js";
import { announce, fill, h } from "../base/elements.js";
import { t } from "../base/language.js";
import { thisVisit, visit } from "../base/visits.js";
import { icon } from "../base/icons.js";
import { withProof, withSession } from "./password.js";
import { repeatable, showTexts, textsOf } from "./texts.js";
import { questions, watchFields } from "./unsaved.js";

/** Repeated presses act once. @param {Act} act */
export function actButton(act) {
  const sendAct = repeatable();
  const { body } = act;
  return button(act, () => post(act, typeof body === "function" ? body() : body, sendAct));
}

/**
 * @param {Act & Asked & { action?: string }} act `action` names the dialog's button.
 * @param {() => readonly Field[] | Promise<readonly Field[]>} makeFields
 * @param {(texts: Texts) => unknown} toBody
 */
export function askButton(act, makeFields, toBody) {
  const name = `${act.path} ${act.name}`;
  return button(act, async () => {
    const fields = await makeFields();
    const { texts, sendAct } = questions.get(name) ??
      { texts: textsOf(fields), sendAct: repeatable() };
    const over = watchFields(fields);
    showTexts(fields, texts);
    const keep = () => {
      over();
      questions.set(name, { texts: textsOf(fields), sendAct });
    };
    const work = () => post(act, toBody(textsOf(fields)), sendAct);
    const isDone = await ask({ action: act.name, ...act, fields }, work).finally(keep);
    if (isDone) questions.delete(name);
    return isDone;
  });
}

/** @param {Act} what @param {ProvenAct} proven */
export function proofButton(what, proven) {
  const sendAct = repeatable();
  const { path, body } = what;
  return button(what, async () => {
    const made = await withProof(proven, (proof) => sendAct("POST", path, { body, proof }));
    return made !== null;
  });
}

/** @param {Act} what @param {() => Promise<unknown>} work False if the person cancels. */
export function button({ name, symbol, label, isGrave, isMain, page, done, then }, work) {
  const press = async () => {
    const here = thisVisit();
    const shown = page ?? location.pathname;
    try {
      if (await work() === false) return;
    } catch (error) {
      // After a conflict, the page is outdated.
      if (announceFailure(error).status === 409) await visit(shown, here);
      return;
    }
    announce(done);
    if (then !== undefined) return then();
    await visit(shown, here);
  };
  const look = name === "" ? "act" : isGrave ? "danger" : isMain && "main";
  const title = name === "" && label;
  const attributes = { class: look, "aria-label": label, title, onclick: oneAtATime(press) };
  return h("button", attributes, symbol && icon(symbol), name);
}

/** Ignores further presses while one is at work. @param {() => Promise<unknown>} press */
export function oneAtATime(press) {
  let isWorking = false;
  return async () => {
    if (isWorking) return;
    isWorking = true;
    await press().finally(() => isWorking = false);
  };
}

/** @param {Act} what @param {unknown} body @param {ProvenSend} sendAct */
async function post({ path, method = "POST" }, body, sendAct) {
  const result = await withSession(() => sendAct(method, path, { body }));
  announceChange(path);
  return result;
}

/**
 * Every other press undoes the one before; so does "Undo" in the message.
 * @param {Undoable} undoable
 */
export function undoableButton({ act, name, label, done, undone, title, then, ...more }) {
  const { mark = "done", choice = () => "", symbol } = more;
  /**
   * Sent again after a failure, unless something else was chosen.
   * @type {UndoableStep & { of: string, send: ProvenSend } | null}
   */
  let step = null;
  /** @type {Undoable["act"] | null} Null if it is not done. */
  let undo = null;
  const show = () => {
    const isDone = undo !== null;
    const shown = isDone ? `${t("undo")}: ${title}` : label;
    fill(button, symbol?.(isDone) ?? (isDone ? t("undo") : name));
    button.setAttribute("aria-label", shown);
    if (symbol) button.title = shown;
    button.closest("li")?.classList.toggle(mark, isDone);
  };
  const press = async () => {
    const of = choice();
    if (step?.of !== of) step = { ...await (undo ?? act)(), of, send: repeatable() };
    const { method, path, body, send: sendAct, undo: undoOf } = step;
    const { data } = await sendAct(method, path, { body });
    step = null;
    undo = undoOf === undefined ? null : () => undoOf(data);
    announceChange(path);
    show();
    if (undo === null) announce(undone);
    else announce(h("span", done, h("button", { onclick: () => button.click() }, t("undo"))));
    then?.(data);
  };
  const onclick = () =>
    withSession(press).catch((error) => {
      // The next press reads the record again.
      if (announceFailure(error).status === 409) step = null;
    });
  const button = h("button", {
    class: symbol && "act",
    "aria-keyshortcuts": "x",
    onclick: oneAtATime(onclick),
  });
  show();
  return button;
}

/**
 * An act of a line as a symbol with a name.
 * @param {Parameters<typeof icon>[0]} symbol
 * @param {string} name
 * @param {() => unknown} onclick
 */
export function iconButton(symbol, name, onclick) {
  return h("button.act", { "aria-label": name, title: name, onclick }, icon(symbol));
}

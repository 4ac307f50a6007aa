import { showTexts, textsOf } from "../fields/field_texts.js";
import { ApiError } from "./api.js";
import { ask } from "./ask.js";
import { announceChange } from "./changes.js";
import { announce, h } from "./dom.js";
import { repeatable } from "./repeatable.js";
import { withSession } from "./sign_in_again.js";
import { withProof } from "./step_up.js";
import { failureText } from "./text.js";
import { questions, watchFields } from "./unsaved_forms.js";
import { thisVisit, visit } from "./visit.js";

/**
 * @typedef {object} Act
 * @property {string} path
 * @property {"POST" | "PATCH"} [method] Default POST.
 * @property {string} name
 * @property {unknown} [body] Or a function that makes it when the button is pressed.
 * @property {string} done
 * @property {string} page
 * @property {string} [label] The button's accessible name, if other buttons on the page have the same text.
 * @property {string} [shortcut] The key that presses it while its line of a list has the focus.
 * @property {() => void} [then] Called afterwards, instead of drawing the page again.
 * @property {boolean} [isMain] True for the page's first action.
 * @property {boolean} [isGrave] True if it cannot be undone.
 */

/** @typedef {{ title: string, text?: string }} Asked */
/** @typedef {readonly import("../fields/field.js").Field[]} Fields */

/**
 * Repeated presses act once.
 *
 * @param {import("./session.js").Session} session
 * @param {Act} what
 */
export function actButton(session, what) {
  const sendAct = repeatable();
  const { body } = what;
  return button(
    what,
    () => post(session, what, typeof body === "function" ? body() : body, sendAct),
  );
}

/**
 * @param {import("./session.js").Session} session
 * @param {Act & Asked & { action?: string }} what `action` labels the dialog's button; default `name`.
 * @param {() => Fields | Promise<Fields>} makeFields Fields of the dialog.
 * @param {(texts: Readonly<Record<string, string>>) => unknown} toBody
 */
export function askButton(session, what, makeFields, toBody) {
  const name = [session.account.accountId, what.path, what.name].join(" ");
  return button(what, async () => {
    const fields = await makeFields();
    const { texts, sendAct } = questions.get(name) ??
      { texts: textsOf(fields), sendAct: repeatable() };
    const over = watchFields(fields);
    showTexts(fields, texts);
    const keep = () => {
      over();
      questions.set(name, { texts: textsOf(fields), sendAct });
    };
    const work = () => post(session, what, toBody(textsOf(fields)), sendAct);
    const isDone = await ask({ action: what.name, ...what, fields }, work).finally(keep);
    if (isDone) questions.delete(name);
    return isDone;
  });
}

/**
 * A button that asks for the password.
 *
 * @param {import("./session.js").Session} session
 * @param {Act} what
 * @param {import("./step_up.js").ProvenAct} proven
 */
export function proofButton(session, what, proven) {
  const sendAct = repeatable();
  const { path, body } = what;
  return button(what, async () => {
    const work = (/** @type {string} */ proof) => sendAct("POST", path, { body, proof });
    return await withProof(session, proven, work) !== null;
  });
}

/**
 * @param {Act} what
 * @param {() => Promise<unknown>} work Resolves to false if the person cancels.
 */
function button({ name, label, shortcut, isGrave = false, isMain, page, done, then }, work) {
  let isWorking = false;
  const press = async () => {
    const here = thisVisit();
    try {
      if (await work() === false) return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
      // After a conflict, the page is outdated.
      if (error.status === 409) await visit(page, here);
      return;
    }
    announce(done);
    if (then !== undefined) return then();
    await visit(page, here);
  };
  const onclick = async () => {
    if (isWorking) return;
    isWorking = true;
    await press().finally(() => isWorking = false);
  };
  const attributes = {
    type: "button",
    class: isGrave ? "danger" : isMain && "main",
    "aria-label": label,
    "aria-keyshortcuts": shortcut,
  };
  return h("button", { ...attributes, onclick }, name);
}

/**
 * @param {import("./session.js").Session} session
 * @param {Act} what
 * @param {unknown} body
 * @param {import("./repeatable.js").Send} sendAct
 */
async function post({ account }, { path, method = "POST" }, body, sendAct) {
  const result = await withSession(account.email, () => sendAct(method, path, { body }));
  announceChange(path);
  return result;
}

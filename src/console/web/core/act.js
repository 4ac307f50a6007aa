/** Acts: what a button asks the service to do. */

import { announce } from "./announce.js";
import { ApiError, newKey, send } from "./api.js";
import { ask } from "./ask.js";
import { h } from "./dom.js";
import { withSession } from "./sign_in_again.js";
import { failureText } from "./text.js";
import { visit } from "./visit.js";

/**
 * @typedef {object} Act
 * @property {string} path Where it is sent.
 * @property {"POST" | "PATCH"} [method] POST unless given.
 * @property {string} name What its button says.
 * @property {unknown} [body]
 * @property {string} done What is said afterwards.
 * @property {string} page The page that shows what has become of it.
 * @property {string} [label] The button's name where what it says is said by others on the page, too.
 * @property {boolean} [isGrave] Whether it cannot be undone.
 */

/**
 * A button that does something at once. However often it is pressed, it is done once.
 *
 * @param {import("./session.js").Session} session
 * @param {Act} act
 */
export function actButton(session, act) {
  const key = newKey();
  return button(act, async () => {
    try {
      await post(session, act, act.body, key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What is shown may be what it was before another change.
      await visit(act.page);
      announce(failureText(error.code));
      return;
    }
    await finish(act);
  });
}

/**
 * A button that asks first.
 *
 * @param {import("./session.js").Session} session
 * @param {Act & { title: string, text?: string }} act
 * @param {() => readonly import("../fields/field.js").Field[]} makeFields What the question asks.
 * @param {(texts: Readonly<Record<string, string>>) => unknown} toBody The body, of what was answered.
 */
export function askButton(session, act, makeFields, toBody) {
  return button(act, async () => {
    const key = newKey();
    const fields = makeFields();
    const question = {
      title: act.title,
      action: act.name,
      fields,
      ...act.text && { text: act.text },
    };
    const isDone = await ask(question, () => {
      const texts = Object.fromEntries(fields.map(({ name, text }) => [name, text()]));
      return post(session, act, toBody(texts), key);
    });
    if (isDone) await finish(act);
  });
}

/**
 * @param {Act} act
 * @param {() => Promise<void>} onclick
 */
function button({ name, label, isGrave = false }, onclick) {
  const attributes = { type: "button", class: isGrave && "danger", "aria-label": label };
  return h("button", { ...attributes, onclick }, name);
}

/**
 * @param {import("./session.js").Session} session
 * @param {Act} act
 * @param {unknown} body
 * @param {string} key
 */
function post({ account }, { path, method = "POST" }, body, key) {
  return withSession(account.email, () => send(method, path, { body, key }));
}

/** @param {Act} act */
async function finish({ page, done }) {
  announce(done);
  await visit(page);
}

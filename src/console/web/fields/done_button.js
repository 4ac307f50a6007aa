/** One press completes a record, the next one undoes that. */

import { ApiError, send } from "../core/api.js";
import { announceChange } from "../core/changes.js";
import { announce, h } from "../core/dom.js";
import { notLoaded } from "../core/not_loaded.js";
import { repeatable } from "../core/repeatable.js";
import { failureText, t } from "../core/text.js";
import { completion, undoing } from "../logic/module_views.js";

/**
 * @param {import("../core/session.js").Session} session
 * @param {{ moduleCode: string, recordId: string, title: string }} record
 * @returns {HTMLButtonElement | false} false if the record cannot be completed.
 */
export function doneButton({ account, permissions }, { moduleCode, recordId, title }) {
  const isAllowed = permissions.includes("record.write");
  if (!isAllowed || completion(moduleCode, new Date()) === null) return false;
  const path = `/api/v2/records/${moduleCode}/${recordId}`;
  /** @type {{ body: any, before: any, send: import("../core/repeatable.js").Send } | null} */
  let act = null;
  /** @type {any} The body that undoes it; null if it is not done. */
  let undo = null;
  const show = () => {
    const isDone = undo !== null;
    button.textContent = t(isDone ? "undo" : "done");
    button.setAttribute("aria-label", t(isDone ? "undoThing" : "doneThing", { title }));
    button.closest("li")?.classList.toggle("done", isDone);
  };
  const press = async () => {
    // A repetition after a failure sends the same request.
    act ??= undo === null
      ? {
        before: (await send("GET", path)).data.payload,
        body: { payload: completion(moduleCode, new Date()) },
        send: repeatable(),
      }
      : { before: null, body: undo, send: repeatable() };
    const { before, body, send: sendAct } = act;
    const { data } = await sendAct("PATCH", path, { body });
    act = null;
    undo = before && { ...undoing(before, data.payload), expectedRevision: data.revision };
    announce(t(undo === null ? "undone" : "completed", { title }));
    announceChange(path);
    show();
  };
  let isWorking = false;
  const onclick = async () => {
    if (isWorking) return;
    isWorking = true;
    const { withSession } = await import("../core/sign_in_again.js").catch(notLoaded);
    await withSession(account.email, press).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
      // The next press reads the record again.
      if (error.status === 409) act = null;
    }).finally(() => isWorking = false);
  };
  const button = h("button", { type: "button", "aria-keyshortcuts": "x", onclick });
  show();
  return button;
}

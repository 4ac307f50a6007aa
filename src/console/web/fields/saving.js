/** Saves while someone writes: after a pause, and at once where the page is left. */

import { ApiError } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { failureText, t, timeText } from "../core/text.js";

const PAUSE_MS = 800;
const RETRY_MS = 5_000;

/**
 * @param {string} email Who is signed in.
 * @param {() => boolean} isUnsaved Whether there is anything to save.
 * @param {() => Promise<void>} save
 */
export function saving(email, isUnsaved, save) {
  const element = h("p", { class: "hint" }, t("savedByService"));
  let timer = 0;
  let hasEnded = false;
  /** What is being sent: one at a time. */
  let work = Promise.resolve();
  const soon = (_event = {}, pause = PAUSE_MS) => {
    clearTimeout(timer);
    timer = setTimeout(now, pause);
  };
  const now = (/** @type {() => Promise<void>} */ send = save) => {
    clearTimeout(timer);
    if (!hasEnded && isUnsaved()) work = work.then(send).then(showSaved, showFailure);
  };
  const showSaved = () => {
    if (isUnsaved()) soon();
    else fill(element, t("savedAt", { time: timeText(Date.now()) }));
  };
  const showFailure = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) return reportError(error);
    const signedIn = () => now(() => withSession(email, save));
    fill(
      element,
      `${t("notSaved")} ${failureText(error.code)} `,
      h("button", { type: "button", class: "plain", onclick: signedIn }, t("saveNow")),
    );
    if (error.code === "NETWORK_ERROR") soon({}, RETRY_MS);
  };
  /** Listens as long as the form is shown. */
  const listen = (
    /** @type {EventTarget} */ target,
    /** @type {string} */ name,
    /** @type {(event: Event) => void} */ heard,
  ) => {
    const listener = (/** @type {Event} */ event) => {
      if (element.isConnected) heard(event);
      else target.removeEventListener(name, listener);
    };
    target.addEventListener(name, listener);
  };
  listen(globalThis, "online", () => now());
  listen(document, "visibilitychange", () => now());
  listen(globalThis, "beforeunload", (event) => {
    if (!hasEnded && isUnsaved()) event.preventDefault();
  });
  return {
    element,
    soon,
    /**
     * Does what ends the draft, once nothing is being sent any more.
     *
     * @param {() => Promise<boolean>} act Says whether it has ended.
     */
    async instead(act) {
      clearTimeout(timer);
      await work;
      hasEnded = await act();
    },
  };
}

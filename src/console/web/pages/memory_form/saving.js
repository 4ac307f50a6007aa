/** How a memory's draft is saved. */

import { withSession } from "../../core/acts/password.js";
import { watchForm } from "../../core/acts/unsaved.js";
import { ApiError, reasonText } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { timeText } from "../../fields/shown/times.js";

const PAUSE_MS = 800;

const RETRY_MS = 5_000;

/**
 * Saves a draft while it is typed.
 * @param {() => boolean} isUnsaved
 * @param {() => Promise<void>} save
 */
export function saving(isUnsaved, save) {
  const element = h("p.hint", t("savedByService"));
  let timer = 0;
  let isEnding = false;
  let hasEnded = false;
  /** One request at a time. */
  let work = Promise.resolve();
  const soon = (pause = PAUSE_MS) => {
    clearTimeout(timer);
    timer = setTimeout(now, pause);
  };
  const now = (send = save) => {
    clearTimeout(timer);
    if (!isEnding && !hasEnded && isUnsaved()) work = work.then(send).then(showSaved, showFailure);
    return work;
  };
  const showSaved = () => {
    if (isUnsaved()) soon();
    else fill(element, t("savedAt", { time: timeText(Date.now()) }));
  };
  const showFailure = async (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) return reportError(error);
    const signedIn = () => now(() => withSession(save));
    fill(
      element,
      `${t("notSaved")} ${await reasonText(error)} `,
      h("button.plain", { onclick: signedIn }, t("saveNow")),
    );
    if (error.code === "NETWORK_ERROR") soon(RETRY_MS);
  };
  const online = () => {
    // Continues after the page was left.
    if (element.isConnected || isUnsaved()) void now();
    else removeEventListener("online", online);
  };
  addEventListener("online", online);
  const cancel = () => {
    clearTimeout(timer);
    hasEnded = true;
  };
  watchForm({ isUnsaved: () => !hasEnded && isUnsaved(), save: () => now(), cancel });
  return {
    element,
    soon,
    /**
     * Runs an action that ends the draft, after the current request.
     * @template Result
     * @param {() => Promise<Result | null>} act Resolves to null if the draft stays.
     */
    async instead(act) {
      clearTimeout(timer);
      await work;
      isEnding = true;
      const ending = act().finally(() => isEnding = false);
      work = ending.then(() => {}, () => {});
      const ended = await ending;
      hasEnded = ended !== null;
      return ended;
    },
  };
}

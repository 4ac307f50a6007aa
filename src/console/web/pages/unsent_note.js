/** What a form says while what was written in it waits on this device to be sent. */

import { fill, h } from "../core/dom.js";
import { failureText, t } from "../core/text.js";
import { unsent } from "../core/writing.js";

/** @param {(data: any) => void} sent Called once it was sent; `data` only where this tab did. */
export function unsentNote(sent) {
  const element = h("div", { role: "status" });
  let key = "";
  /** Counts what was to be said: what comes late for an earlier write is left. */
  let turn = 0;
  let stop = () => {};
  const say = (/** @type {string | null} */ refused) =>
    fill(
      element,
      h("p", { class: "note" }, refused === null ? t("notSentYet") : failureText(refused)),
    );
  const take = () => {
    turn++;
    stop();
    fill(element);
    key = "";
  };
  return {
    element,
    /** Says how a write stands, and goes on saying it. */
    async show(/** @type {string} */ written, /** @type {string | null} */ refused = null) {
      const mine = ++turn;
      stop();
      key = written;
      say(refused);
      const { onSettled } = await unsent();
      if (turn !== mine) return;
      stop = onSettled(key, ({ refused, data }) => {
        if (refused !== null) return say(refused);
        take();
        sent(data ?? null);
      });
    },
    /** Says it of what was kept before, or in another tab; nothing where it does not wait. */
    async find(/** @type {string | null} */ written) {
      if (written === null) return take();
      const mine = ++turn;
      const { listUnsent } = await unsent();
      const entry = (await listUnsent()).find(({ key }) => key === written);
      if (turn !== mine) return;
      if (entry === undefined) take();
      else await this.show(entry.key, entry.refused);
    },
    /** Takes it back, as it is being changed. */
    takeBack() {
      const taken = key;
      if (taken !== "") void unsent().then(({ dropUnsent }) => dropUnsent(taken));
      take();
    },
  };
}

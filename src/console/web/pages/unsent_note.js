/** What a form says while what was written in it waits on this device to be sent. */

import { fill, h } from "../core/dom.js";
import { failureText, t } from "../core/text.js";
import { dropUnsent, listUnsent, onSettled } from "../core/unsent.js";

/** @param {(data: any) => void} sent Called once it was sent; `data` only where this tab did. */
export function unsentNote(sent) {
  const element = h("div", { role: "status" });
  let key = "";
  let stop = () => {};
  const say = (/** @type {string | null} */ refused) =>
    fill(
      element,
      h("p", { class: "note" }, refused === null ? t("notSentYet") : failureText(refused)),
    );
  const take = () => {
    stop();
    fill(element);
    key = "";
  };
  return {
    element,
    /** Says how a write stands, and goes on saying it. */
    show(/** @type {string} */ written, /** @type {string | null} */ refused = null) {
      stop();
      key = written;
      say(refused);
      stop = onSettled(key, ({ refused, data }) => {
        if (refused !== null) return say(refused);
        take();
        sent(data ?? null);
      });
    },
    /** Says it of what was kept before, or in another tab; nothing where it does not wait. */
    async find(/** @type {string | null} */ written) {
      const entry = (await listUnsent()).find(({ key }) => key === written);
      if (entry === undefined) take();
      else this.show(entry.key, entry.refused);
    },
    /** Takes it back, as it is being changed. */
    takeBack() {
      if (key !== "") void dropUnsent(key);
      take();
    },
  };
}

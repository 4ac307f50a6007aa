import { fill, h } from "../core/dom.js";
import { loadOutbox } from "../core/draft_editor.js";
import { failureText, t } from "../core/text.js";

/** @param {(data: any) => void} sent `data` only if this tab sent it. */
export function outboxStatus(sent) {
  const element = h("div", { role: "status" });
  let key = "";
  /** Drops late results of earlier writes. */
  let turn = 0;
  let stop = () => {};
  const say = (/** @type {string | null} */ refused) =>
    fill(
      element,
      h("p", { class: "note" }, refused === null ? t("notSentYet") : failureText(refused)),
    );
  const clear = () => {
    turn++;
    stop();
    fill(element);
    key = "";
  };
  return {
    element,
    /** Shows a queued write and keeps the status current. */
    async show(/** @type {string} */ wanted, /** @type {string | null} */ refused = null) {
      const mine = ++turn;
      stop();
      key = wanted;
      say(refused);
      const { onResult } = await loadOutbox();
      if (turn !== mine) return;
      stop = onResult(key, ({ refused, data }) => {
        if (refused !== null) return say(refused);
        clear();
        sent(data ?? null);
      });
    },
    /** For a write queued earlier; does nothing if it is not queued. */
    async find(/** @type {string | null} */ wanted) {
      if (wanted === null) return clear();
      const mine = ++turn;
      const { listQueued } = await loadOutbox();
      const entry = (await listQueued()).find(({ key }) => key === wanted);
      if (turn !== mine) return;
      if (entry === undefined) clear();
      else await this.show(entry.key, entry.refused);
    },
    dequeue() {
      const queued = key;
      if (queued !== "") void loadOutbox().then(({ dropQueued }) => dropQueued(queued));
      clear();
    },
  };
}

/** A secret that the service shows once: it is only on this page, and disappears with it. */

import { announce, h } from "../core/dom.js";
import { t } from "../core/text.js";

/**
 * @param {{ text: string, secrets: readonly string[], stored: string, done: () => unknown }} shown `stored`
 * is the text of the button that continues.
 */
export function shownOnce({ text, secrets, stored, done }) {
  const copy = async () => {
    await navigator.clipboard.writeText(secrets.join("\n"));
    announce(t("copied"));
  };
  const block = h(
    "div",
    { class: "note", tabindex: -1 },
    h("p", {}, text),
    h(
      "ul",
      { class: "lines exact", translate: "no" },
      secrets.map((secret) => h("li", {}, secret)),
    ),
    h(
      "div",
      { class: "bar" },
      h("button", { type: "button", class: "main", onclick: done }, stored),
      // Browsers offer it to pages of secure origins alone.
      navigator.clipboard !== undefined &&
        h("button", { type: "button", onclick: copy }, t("copy")),
    ),
  );
  return block;
}

/** A secret shown once: it disappears with the page. */

import { announce, h } from "../core/dom.js";
import { t } from "../core/text.js";

/**
 * @param {{ text: string, secrets: readonly string[], stored: string, done: () => unknown }} shown `stored`
 *   labels the button that continues.
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
      // Missing on insecure origins.
      navigator.clipboard !== undefined &&
        h("button", { type: "button", onclick: copy }, t("copy")),
    ),
  );
  return block;
}

/** What a page needs on paper: the time of printing, and whatever is folded on the screen. */

import { byId, fill } from "./dom.js";
import { t, timeText } from "./text.js";

/** Prepares each printing from now on. */
export function startPrinting() {
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener("beforeprint", () => {
    fill(byId("printed"), t("printedAt", { time: timeText(Date.now()) }));
    unfolded = [...document.querySelectorAll("details")].filter((details) =>
      details.closest(".history") !== null && !details.open
    );
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
}

/** Pages on paper. */

import { timeText } from "../../fields/shown/times.js";
import { byId, fill } from "../base/elements.js";
import { t } from "../base/language.js";

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

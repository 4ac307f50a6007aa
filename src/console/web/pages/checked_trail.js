/** Checks one trail in the browser against the stored seal. */

import { ApiError, fill, h, numberText, t, thisVisit, timeText } from "../core/base.js";
import { checkTrail } from "../core/check_trail.js";
import { keepSeal } from "../core/background.js";
import { brokenTrail } from "./broken_trail.js";

/** @typedef {import("../core/check_trail.js").Checked} Checked */
/** @typedef {import("../logic/trail_check.js").Head} Head */
/** @typedef {import("../logic/trail_check.js").Kind} Kind */

/**
 * @param {string} accountId
 * @param {Kind} kind
 * @param {Head | null} kept
 * @param {string} at By the service's clock.
 */
export function checkedTrail(accountId, kind, kept, at) {
  const element = h("div", {});
  const signal = thisVisit();
  const check = async (/** @type {boolean} */ isWhole) => {
    if (crypto.subtle === undefined) return fill(element, h("p", {}, t("notSecure")));
    const said = h("p", { class: "quiet" }, t("checkedSoFar", { count: 0 }));
    fill(element, said);
    const progress = (/** @type {number} */ entries) => {
      said.textContent = t("checkedSoFar", { count: numberText(entries) });
    };
    try {
      const how = { at, isWhole, signal, progress };
      const checked = await checkTrail(accountId, kind, kept, how);
      if (checked.head !== null) keepSeal(accountId, kind, checked.head);
      const { fault } = checked;
      fill(
        element,
        ...(fault === null
          ? holds(checked, kept, () => check(true))
          : brokenTrail(fault, kept, { accountId, kind, at })),
      );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      fill(element, h("p", {}, t("notChecked")));
    }
  };
  void check(false);
  return element;
}

/**
 * @param {Checked} checked
 * @param {Head | null} kept
 * @param {() => unknown} checkAll
 */
function holds({ head, seals, entries, unchecked }, kept, checkAll) {
  if (head === null) return [h("p", {}, t("nothingSealed"))];
  const time = kept === null ? "" : timeText(kept.at);
  const said = kept === null
    ? t("firstCheck")
    : unchecked === 0
    ? t("nothingRewritten", { time })
    : t("partlyChecked", { time, count: numberText(unchecked) });
  return [
    h("p", {}, h("strong", {}, said)),
    h(
      "details",
      { class: "quiet small" },
      h(
        "summary",
        {},
        t("recomputed", {
          entries: numberText(entries),
          seals: numberText(seals),
          number: numberText(head.number),
        }),
      ),
      h("p", { class: "exact" }, head.digest),
    ),
    unchecked > 0 &&
    h("p", {}, h("button", { type: "button", onclick: checkAll }, t("checkAll"))),
  ];
}

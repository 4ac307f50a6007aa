/** Checks one trail in the browser against the stored seal. */

import { ApiError, fill, h, numberText, t, thisVisit, timeText } from "../core/base.js";
import { checkTrail } from "../core/check_trail.js";
import { keepSeal } from "../core/background.js";
import { brokenTrail } from "./broken_trail.js";

/**
 * @param {string} accountId
 * @param {TrailKind} kind
 * @param {TrailHead | null} kept
 * @param {string} at By the service's clock.
 */
export function checkedTrail(accountId, kind, kept, at) {
  const element = h("div");
  const signal = thisVisit();
  const check = async (/** @type {boolean} */ isWhole) => {
    if (crypto.subtle === undefined) return fill(element, h("p", t("notSecure")));
    const said = h("p.quiet", t("checkedSoFar", { count: 0 }));
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
      fill(element, h("p", t("notChecked")));
    }
  };
  void check(false);
  return element;
}

/** @param {CheckedTrail} checked @param {TrailHead | null} kept @param {() => unknown} checkAll */
function holds({ head, seals, entries, unchecked }, kept, checkAll) {
  if (head === null) return [h("p", t("nothingSealed"))];
  const time = kept === null ? "" : timeText(kept.at);
  const said = kept === null
    ? t("firstCheck")
    : unchecked === 0
    ? t("nothingRewritten", { time })
    : t("partlyChecked", { time, count: numberText(unchecked) });
  return [
    h("p", h("strong", said)),
    h(
      "details.quiet.small",
      h(
        "summary",
        t("recomputed", {
          entries: numberText(entries),
          seals: numberText(seals),
          number: numberText(head.number),
        }),
      ),
      h("p.exact", head.digest),
    ),
    unchecked > 0 &&
    h("p", h("button", { onclick: checkAll }, t("checkAll"))),
  ];
}

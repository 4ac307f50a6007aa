/** News of the account, and checks of its audit trail. */

import { happenedList } from "../core/background/happenings.js";
import { checkedText, keepSeal, keptSeals } from "../core/background/seals.js";
import { ApiError } from "../core/base/api.js";
import { fill, h, link } from "../core/base/elements.js";
import { numberText, t } from "../core/base/language.js";
import { readOrNull } from "../core/base/reads.js";
import { session } from "../core/base/session.js";
import { thisVisit, visit } from "../core/base/visits.js";
import { timeText } from "../fields/shown/times.js";
import { checkTrail } from "../core/trail_check.js";
import { ask } from "../fields/controls/forms.js";

const FAULTS = /** @type {const} */ ({
  replaced: "faultReplaced",
  shorter: "faultShorter",
  entries: "faultEntries",
  chain: "faultChain",
});

/** @param {TrailFault} fault @param {TrailHead | null} kept @param {TrailOf} trail */
function brokenTrail({ why, number, digest }, kept, trail) {
  const anchor = kept?.digest ?? "DIGEST";
  // The chain itself may be valid, as after restoring an older backup.
  const isOther = why === "replaced" || why === "shorter";
  /** @type {(number: number, digest: string | null) => Element} */
  const digestText = (number, digest) =>
    h("dd.exact", t("sealDigest", { number, digest: digest ?? t("noSeal") }));
  return [
    h(
      "div.summary",
      { role: "alert" },
      h("p", h("strong", t(isOther ? "trailChanged" : "trailBroken"))),
      h("p", t(FAULTS[why], { number })),
    ),
    h("h4", t("whatToDo")),
    h("ol", h("li", t("keepDigests")), h("li", t("askOperator")), h("li", t("compareBackup"))),
    h(
      "pre.exact",
      `deno task audit:verify --anchor ${anchor}\n` +
        `deno task audit:verify --file BACKUP --anchor ${anchor}`,
    ),
    h(
      "dl.values",
      h("dt", t("digestSeen")),
      kept === null ? h("dd", t("noneSeen")) : digestText(kept.number, kept.digest),
      h("dt", t("digestNow")),
      digestText(number, digest),
    ),
    isOther && acceptButton(trail),
  ];
}

/**
 * Forgets the known seal, to end the alarm after restoring an older backup. Never accepts an
 * invalid chain.
 * @param {TrailOf} trail
 */
function acceptButton({ accountId, kind, at }) {
  const here = thisVisit();
  const how = { at, isWhole: true, signal: here, progress: () => {} };
  const accept = async () => {
    const { head } = await checkTrail(accountId, kind, null, how);
    if (head !== null) keepSeal(accountId, kind, head);
  };
  const action = t("acceptTrail");
  const onclick = async () => {
    const question = { title: t("acceptQuestion"), text: t("acceptText"), action };
    if (await ask(question, accept)) await visit("/console/witness", here);
  };
  return h("p", h("button.danger", { onclick }, action));
}

/** @param {TrailOf} trail @param {TrailHead | null} kept */
function checkedTrail(trail, kept) {
  const { accountId, kind, at } = trail;
  const element = h("div");
  const signal = thisVisit();
  const check = async (/** @type {boolean} */ isWhole) => {
    if (crypto.subtle === undefined) return fill(element, h("p", t("notSecure")));
    const line = h("p.quiet", t("checkedSoFar", { count: 0 }));
    fill(element, line);
    const progress = (/** @type {number} */ entries) => {
      line.textContent = t("checkedSoFar", { count: numberText(entries) });
    };
    try {
      const how = { at, isWhole, signal, progress };
      const checked = await checkTrail(accountId, kind, kept, how);
      if (checked.head !== null) keepSeal(accountId, kind, checked.head);
      const { fault } = checked;
      const isFine = fault === null;
      fill(
        element,
        isFine ? holds(checked, kept, () => check(true)) : brokenTrail(fault, kept, trail),
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
  if (head === null) return [h("p", t("notSealed"))];
  const counts = {
    entries: numberText(entries),
    seals: numberText(seals),
    number: numberText(head.number),
  };
  return [
    h("p", h("strong", checkedText(kept, unchecked))),
    h("details.quiet.small", h("summary", t("recomputed", counts)), h("p.exact", head.digest)),
    unchecked > 0 && h("p", h("button", { onclick: checkAll }, t("checkAll"))),
  ];
}

/** @type {Page} */
export async function witness() {
  const { accountId } = session().account;
  const { audit, access } = keptSeals(accountId);
  // The older one: an interrupted check may have stored only one.
  const [since] = [audit, access].flatMap((head) => head?.at ?? []).sort();
  const query = since === undefined ? "" : `?${new URLSearchParams({ since })}`;
  /** @type {TrailSummary | null} */
  const summary = await readOrNull(`/api/v2/audit/summary${query}`);
  const checked = (/** @type {TrailKind} */ kind) =>
    summary === null
      ? h("p", t("notChecked"))
      : checkedTrail({ accountId, kind, at: summary.until }, { audit, access }[kind]);
  return {
    title: t("witness"),
    body: [
      h("p", t("witnessText")),
      h("h2", t("rewriteCheck")),
      h(
        "section",
        h("div", h("h3", t("recordEvents")), checked("audit")),
        h("div", h("h3", t("accessEvents")), checked("access")),
      ),
      ...(summary === null ? [] : await whatHappened(summary)),
    ],
  };
}

/** @param {TrailSummary} summary */
async function whatHappened(summary) {
  const { since, isWhole } = summary;
  return [
    h("h2", since === null ? t("whatHappenedFirst") : t("whatHappened", { time: timeText(since) })),
    await happenedList(summary),
    !isWhole && h("p.quiet.small", t("onlyNewest")),
    h("p", link("/console/audit?kind=access", t("seeEvents"))),
  ];
}

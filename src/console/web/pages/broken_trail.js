/** Warns about a trail that was replaced or is invalid, and advises. */

import { ask } from "../fields/controls.js";
import { checkTrail } from "../core/check_trail.js";
import { h, t, thisVisit, visit } from "../core/base.js";
import { keepSeal } from "../core/background.js";

const FAULTS = /** @type {const} */ ({
  replaced: "faultReplaced",
  shorter: "faultShorter",
  entries: "faultEntries",
  chain: "faultChain",
});

/**
 * @param {TrailFault} fault
 * @param {TrailHead | null} kept
 * @param {{ accountId: string, kind: TrailKind, at: string }} trail
 */
export function brokenTrail({ why, number, digest }, kept, trail) {
  const anchor = kept?.digest ?? "DIGEST";
  // The chain itself may be valid, as after restoring an older backup.
  const isOther = why === "replaced" || why === "shorter";
  const digestText = (/** @type {number} */ of, /** @type {string | null} */ text) =>
    h("dd.exact", t("sealDigest", { number: of, digest: text ?? t("noSeal") }));
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
 * Forgets the known seal, to end the alarm after restoring an older backup. Never accepts an invalid chain.
 * @param {{ accountId: string, kind: TrailKind, at: string }} trail
 */
function acceptButton({ accountId, kind, at }) {
  const here = thisVisit();
  const how = { at, isWhole: true, signal: here, progress: () => {} };
  const accept = async () => {
    const { head } = await checkTrail(accountId, kind, null, how);
    if (head !== null) keepSeal(accountId, kind, head);
  };
  const onclick = async () => {
    const question = {
      title: t("acceptQuestion"),
      text: t("acceptText"),
      action: t("acceptTrail"),
    };
    if (await ask(question, accept)) await visit("/console/witness", here);
  };
  return h("p", h("button.danger", { onclick }, t("acceptTrail")));
}

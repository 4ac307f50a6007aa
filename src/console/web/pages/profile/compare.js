/** Snapshots, or the current profile. */

import { h, send, t, thisVisit, timeText, visit } from "../../core/base.js";
import { repeatable, withSession } from "../../core/acts.js";
import { choiceField, form } from "../../fields/controls.js";
import { IDENTITY_API, PROFILE } from "./parts.js";
import { readProfile } from "./reading.js";

const MAX_SNAPSHOTS = 100;
/** Instead of a snapshot's id. */
const NOW = "now";

/** @type {Page} */
export default async function comparePage({ query, session }) {
  const [profile, snapshots, comparisons] = await Promise.all([
    readProfile(),
    send("GET", `${IDENTITY_API}/snapshots?limit=${MAX_SNAPSHOTS}`),
    send("GET", `${IDENTITY_API}/comparisons?limit=10`),
  ]);
  const names = new Map(
    snapshots.data.items.map((/** @type {any} */ { snapshotId, label }) => [snapshotId, label]),
  );
  const choices = [
    ...(profile === null ? [] : [{ value: NOW, label: t("selfNow") }]),
    ...snapshots.data.items.map((/** @type {any} */ { snapshotId, label, createdAt }) => ({
      value: snapshotId,
      label: `${label} (${timeText(createdAt)})`,
    })),
  ];
  return {
    title: t("compareSelves"),
    body: [
      snapshots.data.items.length === 0
        ? h("p", t("noSnapshots"))
        : comparisonForm(session, choices, profile?.revision, query.get("left") ?? ""),
      h("p", h("a", { href: `${PROFILE}/snapshots/new` }, t("addSnapshot"))),
      comparisons.data.items.length > 0 && h("h2", t("comparisons")),
      h(
        "ul.lines",
        comparisons.data.items.map((/** @type {any} */ comparison) => line(comparison, names)),
      ),
    ],
  };
}

/**
 * @param {Session} session
 * @param {Choices} choices
 * @param {number} revision The profile's.
 * @param {string} chosen
 */
function comparisonForm(session, choices, revision, chosen) {
  const sendComparison = repeatable();
  const left = choiceField({ name: "left", label: t("leftSelf"), required: true }, choices);
  const right = choiceField({ name: "right", label: t("rightSelf"), required: true }, choices);
  left.setText(chosen);
  const sideOf = (/** @type {string} */ snapshotId) =>
    snapshotId === NOW ? { kind: "PROFILE_REVISION", revision } : { kind: "SNAPSHOT", snapshotId };
  const submit = async () => {
    const here = thisVisit();
    const body = { left: sideOf(left.text()), right: sideOf(right.text()) };
    const { data } = await withSession(
      session.account.email,
      () => sendComparison("POST", `${IDENTITY_API}/comparisons`, { body }),
    );
    await visit(`${PROFILE}/comparisons/${data.comparisonId}`, here);
  };
  return form([left, right], t("compare"), submit);
}

/** @param {any} comparison @param {ReadonlyMap<string, string>} names */
function line({ comparisonId, left, right, createdAt }, names) {
  const [from, to] = [left, right].map((side) => sideText(side, names));
  return h(
    "li",
    h("a.words", { href: `${PROFILE}/comparisons/${comparisonId}` }, `${from} → ${to}`),
    h("time.quiet.small", { datetime: createdAt }, timeText(createdAt)),
  );
}

/** @param {any} side @param {ReadonlyMap<string, string>} names Snapshots' names. */
export function sideText({ kind, revision, snapshotId }, names) {
  if (kind === "SNAPSHOT") return names.get(snapshotId) ?? t("selfSnapshot");
  return t("selfOfRevision", { revision });
}

/** Comparisons of the profile. */

import { withSession } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { choiceField } from "../../fields/controls/choices.js";
import { form } from "../../fields/controls/forms.js";
import { timeTag, timeText } from "../../fields/shown/times.js";
import { comparedField, differences } from "../history/comparison.js";
import { emptyPlace } from "../parts/empty.js";
import { actLink } from "../parts/objects.js";
import { FIELDS, IDENTITY_API, PROFILE, readProfile } from "../profile.js";

const MAX_SNAPSHOTS = 100;

/** Instead of a snapshot's id. */
const NOW = "now";

/** @type {Page} */
export async function comparePage({ query }) {
  const [profile, { items: snapshots }, { items: comparisons }] = await Promise.all([
    readProfile(),
    get(`${IDENTITY_API}/snapshots?limit=${MAX_SNAPSHOTS}`),
    get(`${IDENTITY_API}/comparisons?limit=10`),
  ]);
  const names = new Map(snapshots.map(({ snapshotId, label }) => [snapshotId, label]));
  const choices = [
    ...profile === null ? [] : [{ value: NOW, label: t("selfNow") }],
    ...snapshots.map(({ snapshotId, label, createdAt }) => ({
      value: snapshotId,
      label: `${label} (${timeText(createdAt)})`,
    })),
  ];
  return {
    title: t("compare"),
    body: [
      snapshots.length === 0
        ? emptyPlace("portrait", t("noSnapshots"))
        : comparisonForm(choices, profile?.revision, query.get("left") ?? ""),
      h("div.bar", actLink("add", `${PROFILE}/snapshots/new`, t("addSnapshot"))),
      comparisons.length > 0 && h("h2", t("comparisons")),
      h("ul.lines", comparisons.map((comparison) => comparisonLine(comparison, names))),
    ],
  };
}

/** @param {Choices} choices @param {number} revision @param {string} chosen */
function comparisonForm(choices, revision, chosen) {
  const sendComparison = repeatable();
  const left = choiceField({ name: "left", label: t("happenedFrom"), required: true }, choices);
  const right = choiceField({ name: "right", label: t("happenedTo"), required: true }, choices);
  left.setText(chosen);
  const sideOf = (/** @type {string} */ snapshotId) =>
    snapshotId === NOW ? { kind: "PROFILE_REVISION", revision } : { kind: "SNAPSHOT", snapshotId };
  const submit = async () => {
    const here = thisVisit();
    const body = { left: sideOf(left.text()), right: sideOf(right.text()) };
    const path = `${IDENTITY_API}/comparisons`;
    const { data } = await withSession(() => sendComparison("POST", path, { body }));
    await visit(`${PROFILE}/comparisons/${data.comparisonId}`, here);
  };
  return form([left, right], t("compare"), submit);
}

/** @param {any} comparison @param {ReadonlyMap<string, string>} names */
function comparisonLine({ comparisonId, left, right, createdAt }, names) {
  const [from, to] = [left, right].map(({ revision, snapshotId }) =>
    revision ? revisionText(revision) : names.get(snapshotId) ?? t("selfSnapshot")
  );
  return h(
    "li",
    link(`${PROFILE}/comparisons/${comparisonId}`, `${from} → ${to}`, "words"),
    h("span.quiet.small", timeTag(createdAt)),
  );
}

/** @param {number} revision */
function revisionText(revision) {
  return t("selfOfRevision", { revision });
}

/** @type {Page} */
export async function comparisonPage({ params: { id } }) {
  const { left, right, fields, createdAt } = await get(`${IDENTITY_API}/comparisons/${id}`);
  const [from = "", to = ""] = await Promise.all([left, right].map(nameOf));
  const compared = FIELDS.map((field) => {
    const found = fields.find((/** @type {any} */ each) => each.field === field.name);
    // Each field has the values of both sides, so the names of the sides are compared.
    return comparedField(field, (side) => found?.[side] ?? undefined);
  });
  return {
    title: t("selvesCompared", { from, to }),
    body: [
      differences(compared, "left", "right"),
      h("p.quiet.small", timeText(createdAt)),
      h("div.bar", link(`${PROFILE}/compare`, t("compare"))),
    ],
  };
}

/** @param {any} side */
async function nameOf({ revision, snapshotId }) {
  return revision
    ? revisionText(revision)
    : (await get(`${IDENTITY_API}/snapshots/${snapshotId}`)).label;
}

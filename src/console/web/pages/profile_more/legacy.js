/** The legacy plan and its drills. */

import { proofButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get, readAll } from "../../core/base/reads.js";
import { label, labelled } from "../../core/names.js";
import { line, severalField } from "../../fields/controls/forms.js";
import { needed, optional } from "../../fields/shown/texts.js";
import { timeTag, timeText } from "../../fields/shown/times.js";
import { valuesList } from "../../fields/shown/values.js";
import { draftForm } from "../draft_form/form.js";
import { emptyPlace } from "../parts/empty.js";
import { listPage } from "../parts/lists.js";
import { actLink, editableThing, presentValues, rootFacts } from "../parts/objects.js";
import { FIELDS, hasProfile, IDENTITY_API, PROFILE } from "../profile.js";

const LEGACY = `${PROFILE}/legacy`;

const PLAN_API = `${IDENTITY_API}/legacy-release/plan`;

const DRILLS_API = `${IDENTITY_API}/legacy-release/drills`;

function planFields() {
  const choices = labelled(FIELDS.map(({ name }) => name));
  const words = { sensitive: true };
  return [
    needed("recipientDescription", "textarea", {
      ...words,
      label: t("recipient"),
      hint: t("recipientHint"),
    }),
    needed("releaseCondition", "textarea", {
      ...words,
      label: t("releaseCondition"),
      hint: t("releaseHint"),
    }),
    optional("instructions", "textarea", { ...words, label: t("instructions") }),
    needed("fields", "tags", {
      label: t("plannedFields"),
      make: (row) => severalField(row, choices),
    }),
  ];
}

/** Required by the service. */
const CONFIRMATION = "I understand nothing is delivered";

/** Null for none. */
function readPlan() {
  return get(`${PLAN_API}?orNull=true`);
}

/** The release plan and its drills. Nothing is ever delivered. @type {Page} */
export async function legacyPage({ query }) {
  const [plan, isThere] = await Promise.all([readPlan(), hasProfile()]);
  const title = t("legacyRelease");
  if (!isThere) return { title, body: [emptyPlace("portrait", t("noProfile"))] };
  const above = h("div", h("p", t("legacyText")), ...planPart(plan));
  if (plan === null) return { title, body: [above] };
  const { body } = await listPage(query, { title, api: DRILLS_API, line: drillLine });
  return { title, body: [above, h("h2", t("drills")), ...body] };
}

/** @param {any} plan Null for none. */
function planPart(plan) {
  const edit = `${LEGACY}/edit`;
  const back = link(PROFILE, t("profile"));
  if (plan === null) {
    return [
      emptyPlace("portrait", t("noPlan"), link(edit, t("makePlan"), "main")),
      h("div.bar", back),
    ];
  }
  const { planId, lastDrillAt } = plan;
  const drill = proofButton(
    {
      path: DRILLS_API,
      name: t("drill"),
      done: t("drilled"),
      body: { confirmation: CONFIRMATION },
    },
    {
      purpose: "IDENTITY_LEGACY_DRILL",
      what: t("drill"),
      thing: t("drillConsent"),
      targetId: planId,
    },
  );
  return [
    rootFacts(plan),
    valuesList(planFields(), { ...plan, fields: plan.fields.map(label) }),
    h(
      "p.quiet.small",
      lastDrillAt === null ? t("neverDrilled") : t("lastDrill", { time: timeText(lastDrillAt) }),
    ),
    h("p", t("drillText")),
    h("div.bar", actLink("edit", edit, t("edit")), drill, back),
  ];
}

/** @param {LegacyDrill} drill */
function drillLine({ fields, planRevision, profileRevision, createdAt }) {
  const [present, absent] = [true, false].map((isPresent) =>
    fields.filter(({ present }) => present === isPresent).map(({ field }) => label(field)).join(
      ", ",
    )
  );
  return line(timeTag(createdAt), [
    present && t("wouldRelease", { names: present }),
    absent && t("withoutValue", { names: absent }),
    t("drillOf", { plan: planRevision, profile: profileRevision }),
  ]);
}

/** @type {Page} */
export async function legacyForm() {
  const fields = planFields();
  const plan = await readPlan();
  const one = plan === null ? null : PLAN_API;
  /** @type {Editable} */
  const editable = {
    ...editableThing(fields, { list: PLAN_API, one, idName: "planId" }),
    changes: PLAN_API,
    // A plan is replaced as a whole.
    patch({ set, remove }, shown) {
      const kept = fields.filter(({ name }) => !remove.includes(name));
      return { ...presentValues(kept, shown), ...set };
    },
    // Earlier revisions cannot be read, so every difference is shown.
    earlier: (revision) => Promise.resolve(revision === plan?.revision ? plan : {}),
  };
  return await draftForm(editable, {
    page: `${LEGACY}/edit`,
    kept: () => LEGACY,
    left: LEGACY,
    name: () => t("plan"),
    about: t("legacyText"),
  });
}

/** Finds a revision of objects that only list theirs. @param {string} one @param {number} wanted */
export async function readListedRevision(one, wanted) {
  const revisions = await readAll(`${one}/revisions?limit=100`);
  return revisions.find(({ revision }) => revision === wanted);
}

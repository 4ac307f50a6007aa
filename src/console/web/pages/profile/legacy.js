/** The release plan and its drills. Nothing is ever delivered. */

import { proofButton } from "../../core/acts.js";
import { h, t, timeText } from "../../core/base.js";
import { line } from "../../fields/controls.js";
import { valuesList } from "../../fields/shown.js";
import { label } from "../../core/names.js";
import { listPage } from "../list_page.js";
import { rootFacts } from "../root_parts.js";
import { DRILLS_API, LEGACY, PLAN_API, planFields } from "./legacy_plan.js";
import { PROFILE } from "./parts.js";
import { readIfThere, readProfile } from "./reading.js";

/** Required by the service. */
const CONFIRMATION = "I understand nothing is delivered";

/** @type {Page} */
export default async function legacyPage({ query, session }) {
  const [fields, plan, profile] = await Promise.all([
    planFields(),
    readIfThere(PLAN_API),
    readProfile(),
  ]);
  const title = t("legacyRelease");
  if (profile === null) return { title, body: [h("p", t("noProfile"))] };
  const above = h("div", h("p", t("legacyText")), ...planPart(session, plan, fields));
  if (plan === null) return { title, body: [above] };
  const { body } = await listPage(query, {
    title,
    page: LEGACY,
    api: DRILLS_API,
    none: t("noneYet"),
    line: drillLine,
  });
  return { title, body: [above, h("h2", t("drills")), ...body] };
}

/**
 * @param {Session} session
 * @param {any} plan Null for none.
 * @param {readonly CatalogField[]} fields
 */
function planPart(session, plan, fields) {
  const edit = `${LEGACY}/edit`;
  const back = h("a", { href: PROFILE }, t("profile"));
  if (plan === null) {
    return [
      h("p.quiet", t("noPlan")),
      h("div.bar", h("a.main", { href: edit }, t("makePlan")), back),
    ];
  }
  const { planId, lastDrillAt } = plan;
  const drill = proofButton(
    session,
    {
      path: DRILLS_API,
      name: t("drill"),
      done: t("drilled"),
      page: LEGACY,
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
    valuesList(fields, { ...plan, fields: plan.fields.map(label) }),
    h(
      "p.quiet.small",
      lastDrillAt === null ? t("neverDrilled") : t("lastDrill", { time: timeText(lastDrillAt) }),
    ),
    h("p", t("drillText")),
    h("div.bar", h("a.main", { href: edit }, t("edit")), drill, back),
  ];
}

/** @param {any} drill */
function drillLine({ fields, planRevision, profileRevision, createdAt }) {
  const named = (/** @type {boolean} */ isPresent) =>
    fields.filter((/** @type {any} */ { present }) => present === isPresent)
      .map((/** @type {any} */ { field }) => label(field)).join(", ");
  const [present, absent] = [named(true), named(false)];
  return line(h("time", { datetime: createdAt }, timeText(createdAt)), [
    present !== "" && t("wouldRelease", { names: present }),
    absent !== "" && t("withoutValue", { names: absent }),
    t("drillOf", { plan: planRevision, profile: profileRevision }),
  ]);
}

/** Forms of the profile, its history, the public profile, comparisons, and the legacy plan. */

import {
  actButton,
  proofButton,
  repeatable,
  watchFields,
  withProof,
  withSession,
} from "../core/acts.js";
import { announce, fill, get, h, link, readAll, t, thisVisit, visit } from "../core/base.js";
import { label, labelled, notFound, readFields } from "../core/names.js";
import { choiceField, form, line, lineField, severalField } from "../fields/controls.js";
import { needed, optional, timeTag, timeText, valuesList } from "../fields/shown.js";
import { draftForm, placesOf } from "./draft_form.js";
import { comparedField, differences, thingHistory } from "./history.js";
import { editableThing, listPage, presentValues, rootFacts } from "./parts.js";
import {
  FIELDS,
  IDENTITY_API,
  partOf,
  PROFILE,
  PROFILE_API,
  readIfThere,
  readProfile,
} from "./profile.js";

/** The newest role is the current one, which the profile's form then cannot change. */
async function hasRoles() {
  return (await get(`${IDENTITY_API}/roles?limit=1`)).items.length > 0;
}

/** @type {Page} */
export async function profileForm() {
  const [fields, profile, isFixed] = await Promise.all([
    readFields("identity"),
    readProfile(),
    hasRoles(),
  ]);
  const one = profile === null ? null : PROFILE_API;
  const changed = fields.filter(({ name }) => name !== "currentRole" || !isFixed);
  const editable = editableThing(changed, { list: PROFILE_API, one, idName: "profileId" });
  editable.stored = profile;
  return await draftForm(editable, {
    page: `${PROFILE}/edit`,
    kept: () => PROFILE,
    left: PROFILE,
    name: () => t("profile"),
  });
}

/** @type {Page} */
export async function profileHistory(visit) {
  return await thingHistory(visit, {
    page: PROFILE,
    api: PROFILE_API,
    fields: FIELDS,
    nameOf: ({ displayName }) => displayName,
    changes: { ROLE_CHANGED: "roleChanged" },
    fixed: await hasRoles() ? ["currentRole"] : [],
  });
}

/** @type {Page} */
export async function partForm({ params: { part: name = "stages", id } }) {
  const part = partOf(name);
  if (part === undefined) return notFound();
  const list = `${IDENTITY_API}/${name}`;
  const one = id === undefined ? null : `${list}/${id}`;
  const stages = (await readFields("identity")).find(({ name }) => name === "lifeStage");
  const fields = part.fields.map((field) =>
    field.name === "lifeStage" ? { ...field, options: stages?.options ?? [] } : field
  );
  const editable = editableThing(fields, { list, one, idName: part.idName });
  editable.earlier = (revision) => readListedRevision(`${one}`, revision);
  return await draftForm(editable, {
    ...placesOf(`${PROFILE}/${name}`, id, () => part.one),
    kept: () => PROFILE,
    ...(one === null && { left: PROFILE }),
  });
}

/** The biography and dates can never be published. */
const PUBLIC_FIELDS = ["displayName", "currentRole", "lifeStage", "publicSummary", "tags"];

const API = `${IDENTITY_API}/public`;
const PAGE = `${PROFILE}/public`;

/** @type {Page} */
export async function publicPage() {
  const [profile, publication] = await Promise.all([readProfile(), readIfThere(API)]);
  const title = t("publicView");
  if (profile === null) return { title, body: [h("p", t("noProfile"))] };
  const fields = FIELDS.filter(({ name }) => PUBLIC_FIELDS.includes(name));
  const isPublished = publication?.state === "PUBLISHED";
  return {
    title,
    body: [
      isPublished ? published(profile, publication, fields) : h("p", t("notPublished")),
      h("h2", t(isPublished ? "publishOther" : "publish")),
      publishForm(profile, publication, fields),
      h("p", link(PROFILE, t("profile"))),
    ],
  };
}

/** @param {any} profile @param {any} publication @param {readonly CatalogField[]} fields */
function published(profile, { slug, view, profileRevision, updatedAt }, fields) {
  const address = `${API}/${slug}`;
  const refresh = { path: `${API}/refresh`, name: t("refreshPublic"), done: t("refreshed") };
  const revoke = {
    path: `${API}/revoke`,
    name: t("revokePublic"),
    done: t("revoked"),
    isGrave: true,
  };
  const isBehind = profileRevision < profile.revision;
  return h(
    "section",
    h("p", t("publicAddress")),
    h("p", h("a.exact", { href: address }, `${location.origin}${address}`)),
    valuesList(fields, view),
    h("p.quiet.small", t("selfAsOf", { time: timeText(updatedAt) })),
    isBehind && h("p.note", t("publicOutdated")),
    h("div.bar", isBehind && actButton(refresh), actButton(revoke)),
  );
}

/** @param {any} profile @param {any} publication @param {readonly CatalogField[]} fields */
function publishForm(profile, publication, fields) {
  const slug = lineField({ name: "slug", label: t("slug"), hint: t("slugHint"), required: true });
  const row = { name: "fields", label: t("publicFields"), required: true };
  const chosen = severalField(row, labelled(fields.map(({ name }) => name)));
  slug.setText(publication?.slug ?? "");
  chosen.setText(JSON.stringify(publication?.fields ?? ["displayName"]));
  const namesChosen = () => JSON.parse(chosen.text() || "[]");
  const preview = h("div.note");
  const show = () => {
    const seen = fields.filter(({ name }) => namesChosen().includes(name));
    const values = valuesList(seen, profile);
    fill(preview, h("p", t("publicPreview")), values || h("p", t("emptyPreview")));
  };
  show();
  const sendPublic = repeatable();
  const sent = watchFields([slug, chosen]);
  const submit = async () => {
    const here = thisVisit();
    /** @type {ProvenAct} */
    const act = {
      purpose: "IDENTITY_PUBLISH",
      what: t("publish"),
      thing: `${API}/${slug.text()}`,
      targetId: profile.profileId,
    };
    const body = { slug: slug.text().trim(), fields: namesChosen() };
    const send = (/** @type {string} */ proof) =>
      sendPublic("POST", `${API}/publish`, { body, proof });
    if (await withProof(act, send) === null) return;
    sent();
    announce(t("published"));
    await visit(PAGE, here);
  };
  const element = form([slug, chosen], t("publish"), submit, { before: [preview] });
  element.addEventListener("change", show);
  return element;
}

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
        ? h("p", t("noSnapshots"))
        : comparisonForm(choices, profile?.revision, query.get("left") ?? ""),
      h("p", link(`${PROFILE}/snapshots/new`, t("addSnapshot"))),
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

/** The release plan and its drills. Nothing is ever delivered. @type {Page} */
export async function legacyPage({ query }) {
  const [plan, profile] = await Promise.all([readIfThere(PLAN_API), readProfile()]);
  const title = t("legacyRelease");
  if (profile === null) return { title, body: [h("p", t("noProfile"))] };
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
    return [h("p.quiet", t("noPlan")), h("div.bar", link(edit, t("makePlan"), "main"), back)];
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
    h("div.bar", link(edit, t("edit"), "main"), drill, back),
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
  const plan = await readIfThere(PLAN_API);
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
async function readListedRevision(one, wanted) {
  const revisions = await readAll(`${one}/revisions?limit=100`);
  return revisions.find(({ revision }) => revision === wanted);
}

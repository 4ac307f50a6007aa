/** Forms of the profile, its history, the public profile, comparisons, and the legacy plan. */

import {
  actButton,
  proofButton,
  repeatable,
  watchFields,
  withProof,
  withSession,
} from "../core/acts.js";
import {
  announce,
  fill,
  get,
  h,
  readAll,
  send,
  t,
  thisVisit,
  timeTag,
  timeText,
  visit,
} from "../core/base.js";
import { label, notFound, readModule } from "../core/names.js";
import { choiceField, form, line, lineField, severalField } from "../fields/controls.js";
import { needed, optional, valuesList } from "../fields/shown.js";
import { draftForm } from "./draft_form.js";
import { changeName, comparedField, differences, thingHistory } from "./history.js";
import { editableThing, listPage, presentValues, rootFacts } from "./parts.js";
import {
  IDENTITY_API,
  partsOf,
  PROFILE,
  PROFILE_API,
  readIfThere,
  readProfile,
} from "./profile.js";

/** @type {Page} */
export async function profileForm() {
  const [module, profile, roles] = await Promise.all([
    readModule("identity"),
    readProfile(),
    send("GET", `${IDENTITY_API}/roles?limit=1`),
  ]);
  // With roles, the newest one is the current role.
  const fields = (module?.fields ?? []).filter(({ name }) =>
    name !== "currentRole" || roles.data.items.length === 0
  );
  const one = profile === null ? null : PROFILE_API;
  return await draftForm(
    editableThing(fields, { list: PROFILE_API, one, idName: "profileId" }),
    {
      page: `${PROFILE}/edit`,
      kept: () => PROFILE,
      left: PROFILE,
      name: () => t("profile"),
    },
  );
}

/** @type {Page} */
export async function profileHistory(visit) {
  const [module, roles] = await Promise.all([
    readModule("identity"),
    send("GET", `${IDENTITY_API}/roles?limit=1`),
  ]);
  return await thingHistory(visit, {
    page: PROFILE,
    api: `${IDENTITY_API}/profile`,
    fields: module?.fields ?? [],
    nameOf: ({ displayName }) => displayName,
    nameOfChange: (change) => change === "ROLE_CHANGED" ? t("roleChanged") : changeName(change),
    fixed: roles.data.items.length > 0 ? ["currentRole"] : [],
  });
}

/** @type {Page} */
export async function partForm({ params }) {
  const { id } = params;
  const name = /** @type {ProfilePartName} */ (params.part ?? "stages");
  const part = partsOf((await readModule("identity"))?.fields ?? [])[name];
  if (part === undefined) return notFound();
  const list = `${IDENTITY_API}/${name}`;
  const one = id === undefined ? null : `${list}/${id}`;
  const page = `${PROFILE}/${name}`;
  const editable = {
    ...editableThing(part.fields, { list, one, idName: part.idName }),
    earlier: (/** @type {number} */ revision) => readListedRevision(`${one}`, revision),
  };
  return await draftForm(editable, {
    page: id === undefined ? `${page}/new` : `${page}/${id}/edit`,
    kept: () => PROFILE,
    left: id === undefined ? PROFILE : `${page}/${id}`,
    name: () => part.one,
  });
}

/** The biography and dates can never be published. */
const PUBLIC_FIELDS = ["displayName", "currentRole", "lifeStage", "publicSummary", "tags"];

const API = `${IDENTITY_API}/public`;

const PAGE = `${PROFILE}/public`;

/** @type {Page} */
export async function publicPage() {
  const [module, profile, publication] = await Promise.all([
    readModule("identity"),
    readProfile(),
    readIfThere(API),
  ]);
  if (profile === null) return { title: t("publicView"), body: [h("p", t("noProfile"))] };
  const fields = (module?.fields ?? []).filter(({ name }) => PUBLIC_FIELDS.includes(name));
  return {
    title: t("publicView"),
    body: [
      publication?.state === "PUBLISHED"
        ? published(profile, publication, fields)
        : h("p", t("notPublished")),
      h("h2", t(publication?.state === "PUBLISHED" ? "publishOther" : "publish")),
      publishForm(profile, publication, fields),
      h("p", h("a", { href: PROFILE }, t("profile"))),
    ],
  };
}

/** @param {any} profile @param {any} publication @param {readonly CatalogField[]} fields */
function published(profile, { slug, view, profileRevision, updatedAt }, fields) {
  const address = `${API}/${slug}`;
  const refresh = {
    path: `${API}/refresh`,
    name: t("refreshPublic"),
    done: t("refreshed"),
    page: PAGE,
  };
  const revoke = {
    path: `${API}/revoke`,
    name: t("revokePublic"),
    done: t("revoked"),
    page: PAGE,
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
  const slug = lineField({
    name: "slug",
    label: t("slug"),
    hint: t("slugHint"),
    required: true,
  });
  const choices = fields.map(({ name }) => ({ value: name, label: label(name) }));
  const chosen = severalField(
    { name: "fields", label: t("publicFields"), required: true },
    choices,
  );
  slug.setText(publication?.slug ?? "");
  chosen.setText(JSON.stringify(publication?.fields ?? ["displayName"]));
  const namesChosen = () => /** @type {string[]} */ (JSON.parse(chosen.text() || "[]"));
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
    const act = {
      purpose: /** @type {const} */ ("IDENTITY_PUBLISH"),
      what: t("publish"),
      thing: `${API}/${slug.text()}`,
      targetId: profile.profileId,
    };
    const body = { slug: slug.text().trim(), fields: namesChosen() };
    const made = await withProof(
      act,
      (proof) => sendPublic("POST", `${API}/publish`, { body, proof }),
    );
    if (made === null) return;
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
    title: t("compare"),
    body: [
      snapshots.data.items.length === 0
        ? h("p", t("noSnapshots"))
        : comparisonForm(choices, profile?.revision, query.get("left") ?? ""),
      h("p", h("a", { href: `${PROFILE}/snapshots/new` }, t("addSnapshot"))),
      comparisons.data.items.length > 0 && h("h2", t("comparisons")),
      h(
        "ul.lines",
        comparisons.data.items.map((/** @type {any} */ comparison) =>
          lineOfCompare(comparison, names)
        ),
      ),
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
    const { data } = await withSession(() =>
      sendComparison("POST", `${IDENTITY_API}/comparisons`, { body })
    );
    await visit(`${PROFILE}/comparisons/${data.comparisonId}`, here);
  };
  return form([left, right], t("compare"), submit);
}

/** @param {any} comparison @param {ReadonlyMap<string, string>} names */
function lineOfCompare({ comparisonId, left, right, createdAt }, names) {
  const [from, to] = [left, right].map((side) => sideText(side, names));
  return h(
    "li",
    h("a.words", { href: `${PROFILE}/comparisons/${comparisonId}` }, `${from} → ${to}`),
    h("time.quiet.small", { datetime: createdAt }, timeText(createdAt)),
  );
}

/** @param {any} side @param {ReadonlyMap<string, string>} names */
function sideText({ kind, revision, snapshotId }, names) {
  if (kind === "SNAPSHOT") return names.get(snapshotId) ?? t("selfSnapshot");
  return t("selfOfRevision", { revision });
}

/** @type {Page} */
export async function comparisonPage({ params: { id } }) {
  const [module, comparison] = await Promise.all([
    readModule("identity"),
    get(`${IDENTITY_API}/comparisons/${id}`),
  ]);
  const { left, right, fields, createdAt } = comparison;
  const sides = await Promise.all([left, right].map(nameOf));
  const valuesOf = (/** @type {"left" | "right"} */ side) =>
    Object.fromEntries(fields.map((/** @type {any} */ field) => [field.field, field[side]]));
  // Sensitive fields are the purpose of this page.
  const compared = (module?.fields ?? []).map((field) => ({
    ...comparedField(field, (state) => state[field.name] ?? undefined),
    sensitive: false,
  }));
  return {
    title: t("selvesCompared", { from: sides[0] ?? "", to: sides[1] ?? "" }),
    body: [
      differences(compared, valuesOf("left"), valuesOf("right")),
      h("p.quiet.small", timeText(createdAt)),
      h("div.bar", h("a", { href: `${PROFILE}/compare` }, t("compare"))),
    ],
  };
}

/** @param {any} side */
async function nameOf(side) {
  if (side.kind !== "SNAPSHOT") return sideText(side, new Map());
  const data = await get(`${IDENTITY_API}/snapshots/${side.snapshotId}`);
  return data.label;
}

const LEGACY = `${PROFILE}/legacy`;

const PLAN_API = `${IDENTITY_API}/legacy-release/plan`;

const DRILLS_API = `${IDENTITY_API}/legacy-release/drills`;

/** @returns {Promise<readonly CatalogField[]>} */
async function planFields() {
  const fields = (await readModule("identity"))?.fields ?? [];
  const choices = fields.map(({ name }) => ({ value: name, label: label(name) }));
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

/** The release plan and its drills. Nothing is ever delivered. */

/** Required by the service. */
const CONFIRMATION = "I understand nothing is delivered";

/** @type {Page} */
export async function legacyPage({ query }) {
  const [fields, plan, profile] = await Promise.all([
    planFields(),
    readIfThere(PLAN_API),
    readProfile(),
  ]);
  const title = t("legacyRelease");
  if (profile === null) return { title, body: [h("p", t("noProfile"))] };
  const above = h("div", h("p", t("legacyText")), ...planPart(plan, fields));
  if (plan === null) return { title, body: [above] };
  const { body } = await listPage(query, {
    title,
    page: LEGACY,
    api: DRILLS_API,
    line: drillLine,
  });
  return { title, body: [above, h("h2", t("drills")), ...body] };
}

/** @param {any} plan Null for none. @param {readonly CatalogField[]} fields */
function planPart(plan, fields) {
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
  return line(timeTag(createdAt), [
    present !== "" && t("wouldRelease", { names: present }),
    absent !== "" && t("withoutValue", { names: absent }),
    t("drillOf", { plan: planRevision, profile: profileRevision }),
  ]);
}

/** @type {Page} */
export async function legacyForm() {
  const [fields, plan] = await Promise.all([planFields(), readIfThere(PLAN_API)]);
  const one = plan === null ? null : PLAN_API;
  const editable = {
    ...editableThing(fields, { list: PLAN_API, one, idName: "planId" }),
    changes: PLAN_API,
    // A plan is replaced as a whole.
    patch(
      /** @type {FieldChange} */ { set, remove },
      /** @type {any} */ shown,
    ) {
      const kept = fields.filter(({ name }) => !remove.includes(name));
      return { ...presentValues(kept, shown), ...set };
    },
    // Earlier revisions cannot be read, so every difference is shown.
    earlier: (/** @type {number} */ revision) =>
      Promise.resolve(revision === plan?.revision ? plan : {}),
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

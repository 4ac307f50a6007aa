/** The public profile. */

import { actButton } from "../../core/acts/buttons.js";
import { withProof } from "../../core/acts/password.js";
import { repeatable } from "../../core/acts/texts.js";
import { watchFields } from "../../core/acts/unsaved.js";
import { announce, fill, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { thisVisit, visit } from "../../core/base/visits.js";
import { labelled } from "../../core/names.js";
import { form, severalField } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { timeText } from "../../fields/shown/times.js";
import { valuesList } from "../../fields/shown/values.js";
import { emptyPlace } from "../parts/empty.js";
import { FIELDS, IDENTITY_API, PROFILE, readProfile, readPublication } from "../profile.js";

/** The biography and dates can never be published. */
const PUBLIC_FIELDS = ["displayName", "currentRole", "lifeStage", "publicSummary", "tags"];

const API = `${IDENTITY_API}/public`;

const PAGE = `${PROFILE}/public`;

/** @type {Page} */
export async function publicPage() {
  const [profile, publication] = await Promise.all([readProfile(), readPublication()]);
  const title = t("publicView");
  if (profile === null) return { title, body: [emptyPlace("portrait", t("noProfile"))] };
  const fields = FIELDS.filter(({ name }) => PUBLIC_FIELDS.includes(name));
  const isPublished = publication?.state === "PUBLISHED";
  return {
    title,
    body: [
      isPublished ? published(profile, publication, fields) : h("p", t("notPublished")),
      h("h2", t(isPublished ? "publishOther" : "publish")),
      publishForm(profile, publication, fields),
      h("div.bar", link(PROFILE, t("profile"))),
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

/** Chooses, previews, publishes (with the password) and revokes the public fields. */

import { actButton, repeatable, watchFields, withProof } from "../../core/acts.js";
import { label, readModule } from "../../core/names.js";
import { announce, fill, h, t, thisVisit, timeText, visit } from "../../core/base.js";
import { form, lineField } from "../../fields/controls.js";
import { severalField } from "../../fields/several.js";
import { valuesList } from "../../fields/shown.js";
import { IDENTITY_API, PROFILE } from "./parts.js";
import { readIfThere, readProfile } from "./reading.js";

/** The biography and dates can never be published. */
const PUBLIC_FIELDS = ["displayName", "currentRole", "lifeStage", "publicSummary", "tags"];
const API = `${IDENTITY_API}/public`;
const PAGE = `${PROFILE}/public`;

/** @type {Page} */
export default async function publicPage({ session }) {
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
        ? published(session, profile, publication, fields)
        : h("p", t("notPublished")),
      h("h2", t(publication?.state === "PUBLISHED" ? "publishOther" : "publish")),
      publishForm(session, profile, publication, fields),
      h("p", h("a", { href: PROFILE }, t("profile"))),
    ],
  };
}

/**
 * @param {Session} session
 * @param {any} profile
 * @param {any} publication
 * @param {readonly CatalogField[]} fields
 */
function published(session, profile, { slug, view, profileRevision, updatedAt }, fields) {
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
    h("p.quiet.small", t("publicSince", { time: timeText(updatedAt) })),
    isBehind && h("p.note", t("publicOutdated")),
    h("div.bar", isBehind && actButton(session, refresh), actButton(session, revoke)),
  );
}

/**
 * @param {Session} session
 * @param {any} profile
 * @param {any} publication
 * @param {readonly CatalogField[]} fields
 */
function publishForm(session, profile, publication, fields) {
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
      session,
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

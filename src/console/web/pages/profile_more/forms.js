/** Forms and history of the profile. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notFound, readFields } from "../../core/names.js";
import { draftForm, placesOf } from "../draft_form/form.js";
import { thingHistory } from "../history/revisions.js";
import { editableThing } from "../parts/objects.js";
import {
  FIELDS,
  hasProfile,
  IDENTITY_API,
  partOf,
  PROFILE,
  PROFILE_API,
  readProfile,
} from "../profile.js";
import { readListedRevision } from "./legacy.js";

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
  const [isThere, isFixed] = await Promise.all([hasProfile(), hasRoles()]);
  if (!isThere) return { title: t("history"), body: [h("p", t("noProfile"))] };
  return await thingHistory(visit, {
    page: PROFILE,
    api: PROFILE_API,
    fields: FIELDS,
    nameOf: ({ displayName }) => displayName,
    changes: { ROLE_CHANGED: "roleChanged" },
    fixed: isFixed ? ["currentRole"] : [],
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

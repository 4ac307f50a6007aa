/** Forms and histories of resources. */

import { t } from "../core/base/language.js";
import { readFields } from "../core/names.js";
import { needed, optional } from "../fields/shown/texts.js";
import { draftForm, placesOf } from "./draft_form/form.js";
import { thingHistory } from "./history/revisions.js";
import { editableThing } from "./parts/objects.js";
import { FIGURES, pathsOf, RESOURCES, RESOURCES_API } from "./resource_parts.js";

/** @type {Page} */
export async function resourceForm({ params: { id } }) {
  const one = id === undefined ? null : pathsOf(id).api;
  const place = { list: RESOURCES_API, one, idName: "resourceId" };
  const editable = editableThing(await readFields("resource"), place);
  return draftForm(editable, placesOf(RESOURCES, id, (stored) => stored?.name ?? t("resource")));
}

/** @type {Page} */
export async function snapshotForm({ params }) {
  const { page, api } = pathsOf(params.id);
  const fields = [
    needed("observedAt", "datetime", { label: t("measuredOn") }),
    // With the bounds of the resource's figures.
    ...(await readFields("resource")).filter(({ name }) => FIGURES.includes(name)),
    optional("note", "textarea"),
  ];
  const place = { list: `${api}/snapshots`, one: null, idName: "snapshotId" };
  return draftForm(editableThing(fields, place), {
    page: `${page}/snapshots/new`,
    kept: () => page,
    left: page,
    name: () => t("resourceSnapshot"),
    about: t("snapshotText"),
  });
}

/** @type {Page} */
export async function resourceHistory(visit) {
  return thingHistory(visit, {
    ...pathsOf(visit.params.id),
    fields: await readFields("resource"),
    nameOf: ({ name }) => name,
  });
}

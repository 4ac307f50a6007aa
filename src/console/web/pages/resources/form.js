import { readModule } from "../../core/names.js";
import { t } from "../../core/base.js";
import { editableThing } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { pathsOf, RESOURCES, RESOURCES_API } from "./resource_paths.js";

/** @type {Page} */
export default async function resourceForm({ params, session }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const fields = (await readModule("resource"))?.fields ?? [];
  const place = { list: RESOURCES_API, one: isNew ? null : api, idName: "resourceId" };
  return await draftForm(session, editableThing(fields, place), {
    page: isNew ? `${RESOURCES}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? RESOURCES : page,
    name: (stored) => stored?.name ?? t("resource"),
  });
}

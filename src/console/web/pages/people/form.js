import { readModule } from "../../core/names.js";
import { t } from "../../core/base.js";
import { editableThing } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { pathsOf, PEOPLE, PEOPLE_API } from "./person_paths.js";

/** @type {Page} */
export default async function personForm({ params, session }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const all = (await readModule("relationship"))?.fields ?? [];
  // Only contacts change the time of the last one.
  const fields = isNew ? all : all.filter(({ name }) => name !== "lastContactAt");
  const place = { list: PEOPLE_API, one: isNew ? null : api, idName: "personId" };
  return await draftForm(session, editableThing(fields, place), {
    page: isNew ? `${PEOPLE}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? PEOPLE : page,
    name: () => t("person"),
  });
}

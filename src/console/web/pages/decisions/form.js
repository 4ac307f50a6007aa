import { t } from "../../core/base.js";
import { editableThing } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { decisionFields, DECISIONS, DECISIONS_API, pathsOf } from "./decision_paths.js";

/** @type {Page} */
export default async function decisionForm({ params, session }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const place = { list: DECISIONS_API, one: isNew ? null : api, idName: "decisionId" };
  const editable = editableThing(await decisionFields(), place);
  return await draftForm(session, withOptions(editable), {
    page: isNew ? `${DECISIONS}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? DECISIONS : page,
    name: () => t("decision"),
  });
}

/**
 * The API has options as `{ items }`; the form as a list.
 * @param {Editable} editable
 * @returns {Editable}
 */
function withOptions({ valuesOf, creation, patch, ...editable }) {
  const wrapped = (/** @type {FieldChange} */ { set, remove }) => ({
    remove,
    set: { ...set, ...(set.options !== undefined && { options: { items: set.options } }) },
  });
  return {
    ...editable,
    valuesOf: (shown) => valuesOf({ ...shown, options: shown.options.items }),
    creation: (change) => creation(wrapped(change)),
    patch: (change, shown) => patch(wrapped(change), shown),
  };
}

/** A new decision, or a change of one. */

import { t } from "../../core/text.js";
import { writtenThing } from "../../core/written.js";
import { writingForm } from "../writing_form.js";
import { decisionFields, DECISIONS, DECISIONS_API, pathsOf } from "./decision_paths.js";

/** @type {import("../../pages.js").Page} */
export default async function decisionForm({ params, session }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const place = { list: DECISIONS_API, one: isNew ? null : api, idName: "decisionId" };
  const written = writtenThing(await decisionFields(), place);
  return await writingForm(session, withOptions(written), {
    page: isNew ? `${DECISIONS}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? DECISIONS : page,
    name: () => t("decision"),
  });
}

/**
 * The API has the options as `{ items }`; the form as a list.
 *
 * @param {import("../../core/writing.js").Written} written
 * @returns {import("../../core/writing.js").Written}
 */
function withOptions({ valuesOf, creation, patch, ...written }) {
  const wrapped = (/** @type {import("../../core/written.js").Change} */ { set, remove }) => ({
    remove,
    set: { ...set, ...(set.options !== undefined && { options: { items: set.options } }) },
  });
  return {
    ...written,
    valuesOf: (shown) => valuesOf({ ...shown, options: shown.options.items }),
    creation: (change) => creation(wrapped(change)),
    patch: (change, shown) => patch(wrapped(change), shown),
  };
}

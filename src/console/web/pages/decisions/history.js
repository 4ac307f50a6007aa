/** The history of a decision, or of its objects. */

import { t } from "../../core/base.js";
import { notFound } from "../../core/names.js";
import { thingHistory } from "../root_parts.js";
import { decisionFields, pathsOf } from "./decision_paths.js";
import { readKind } from "./kinds.js";

/** @type {Page} */
export default async function decisionHistory(visit) {
  const { id, kind: kindName, thing } = visit.params;
  const { page, api } = pathsOf(id);
  if (kindName === undefined) {
    const fields = (await decisionFields()).map((field) =>
      field.name === "options" ? { ...field, text: optionLines } : field
    );
    return await thingHistory(visit, { page, api, fields, nameOf: ({ question }) => question });
  }
  const kind = readKind(kindName);
  if (kind === null) return notFound();
  const below = `${kindName}/${thing}`;
  return await thingHistory(visit, {
    page: `${page}/${below}`,
    api: `${api}/${below}`,
    fields: kind.compared,
    isFixed: kind.isFixed,
    nameOf: (state) => kind.nameOf(state) || t(kind.one),
  });
}

/** @param {any} decision */
function optionLines({ options }) {
  return options.items.join("\n");
}

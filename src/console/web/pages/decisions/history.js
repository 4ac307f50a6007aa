/** The history of a decision, or of something below it. */

import { t } from "../../core/text.js";
import { changeName, historyPage } from "../history_page.js";
import { thingHistory } from "../thing_history.js";
import { decisionFields, pathsOf } from "./decision_paths.js";
import { notThere, readKind } from "./kinds.js";

/** @type {import("../../pages.js").Page} */
export default async function decisionHistory(visit) {
  const { id, kind: kindName, thing } = visit.params;
  const { page, api } = pathsOf(id);
  if (kindName === undefined) {
    const fields = (await decisionFields()).map((field) =>
      field.name === "options" ? { ...field, text: optionLines } : field
    );
    const nameOf = (/** @type {any} */ { question }) => question;
    const place = { page, api, nameOf, changeName, isFixed: () => false };
    return await historyPage(visit, thingHistory(fields, place));
  }
  const kind = readKind(kindName);
  if (kind === null) return notThere();
  const below = `${kindName}/${thing}`;
  const history = thingHistory(kind.compared, {
    ...{ page: `${page}/${below}`, api: `${api}/${below}`, changeName },
    nameOf: (state) => kind.nameOf(state) || t(kind.one),
    isFixed: () => kind.isFixed,
  });
  return await historyPage(visit, history);
}

/** @param {any} decision */
function optionLines({ options }) {
  return options.items.join("\n");
}

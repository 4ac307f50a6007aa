/** The history of a resource. */

import { readModule } from "../../core/catalog.js";
import { changeName, historyPage } from "../history_page.js";
import { thingHistory } from "../thing_history.js";
import { pathsOf } from "./resource_paths.js";

/** @type {import("../../pages.js").Page} */
export default async function resourceHistory(visit) {
  const fields = (await readModule("resource"))?.fields ?? [];
  const nameOf = (/** @type {any} */ { name }) => name;
  const place = { ...pathsOf(visit.params.id), nameOf, changeName, isFixed: () => false };
  return await historyPage(visit, thingHistory(fields, place));
}

/** The history of the profile. */

import { send } from "../../core/api.js";
import { readModule } from "../../core/catalog.js";
import { t } from "../../core/text.js";
import { changeName, historyPage } from "../history_page.js";
import { thingHistory } from "../thing_history.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

/** @type {import("../../pages.js").Page} */
export default async function profileHistory(visit) {
  const [module, roles] = await Promise.all([
    readModule("identity"),
    send("GET", `${IDENTITY_API}/roles?limit=1`),
  ]);
  const hasRoles = roles.data.items.length > 0;
  const thing = {
    page: PROFILE,
    api: `${IDENTITY_API}/profile`,
    nameOf: (/** @type {any} */ { displayName }) => displayName,
    changeName: (/** @type {string} */ change) =>
      change === "ROLE_CHANGED" ? t("roleChanged") : changeName(change),
    isFixed: (/** @type {string} */ name) => name === "currentRole" && hasRoles,
  };
  return await historyPage(visit, thingHistory(module?.fields ?? [], thing));
}

import { send } from "../../core/api.js";
import { readModule } from "../../core/catalog.js";
import { t } from "../../core/text.js";
import { changeName } from "../history_page.js";
import { thingHistory } from "../root_parts.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

/** @type {import("../../pages.js").Page} */
export default async function profileHistory(visit) {
  const [module, roles] = await Promise.all([
    readModule("identity"),
    send("GET", `${IDENTITY_API}/roles?limit=1`),
  ]);
  return await thingHistory(visit, {
    page: PROFILE,
    api: `${IDENTITY_API}/profile`,
    fields: module?.fields ?? [],
    nameOf: ({ displayName }) => displayName,
    nameOfChange: (change) => change === "ROLE_CHANGED" ? t("roleChanged") : changeName(change),
    fixed: roles.data.items.length > 0 ? ["currentRole"] : [],
  });
}

import { send, t } from "../../core/base.js";
import { readModule } from "../../core/names.js";
import { changeName, thingHistory } from "../root_parts.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

/** @type {Page} */
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

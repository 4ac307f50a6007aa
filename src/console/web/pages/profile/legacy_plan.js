import { label, readModule } from "../../core/names.js";
import { t } from "../../core/base.js";
import { severalField } from "../../fields/several.js";
import { needed, optional } from "../../fields/shown.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

export const LEGACY = `${PROFILE}/legacy`;
export const PLAN_API = `${IDENTITY_API}/legacy-release/plan`;
export const DRILLS_API = `${IDENTITY_API}/legacy-release/drills`;

/** @returns {Promise<readonly CatalogField[]>} */
export async function planFields() {
  const fields = (await readModule("identity"))?.fields ?? [];
  const choices = fields.map(({ name }) => ({ value: name, label: label(name) }));
  const words = { sensitive: true };
  return [
    needed("recipientDescription", "textarea", {
      ...words,
      label: t("recipient"),
      hint: t("recipientHint"),
    }),
    needed("releaseCondition", "textarea", {
      ...words,
      label: t("releaseCondition"),
      hint: t("releaseHint"),
    }),
    optional("instructions", "textarea", { ...words, label: t("instructions") }),
    needed("fields", "tags", {
      label: t("plannedFields"),
      make: (row) => severalField(row, choices),
    }),
  ];
}

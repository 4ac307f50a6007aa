import { t } from "../../core/base.js";
import { editableThing, presentValues } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { LEGACY, PLAN_API, planFields } from "./legacy_plan.js";
import { readIfThere } from "./reading.js";

/** @type {Page} */
export default async function legacyForm({ session }) {
  const [fields, plan] = await Promise.all([planFields(), readIfThere(PLAN_API)]);
  const one = plan === null ? null : PLAN_API;
  const editable = {
    ...editableThing(fields, { list: PLAN_API, one, idName: "planId" }),
    changes: PLAN_API,
    // A plan is replaced as a whole.
    patch(
      /** @type {FieldChange} */ { set, remove },
      /** @type {any} */ shown,
    ) {
      const kept = fields.filter(({ name }) => !remove.includes(name));
      return { ...presentValues(kept, shown), ...set };
    },
    // Earlier revisions cannot be read, so every difference is shown.
    earlier: (/** @type {number} */ revision) =>
      Promise.resolve(revision === plan?.revision ? plan : {}),
  };
  return await draftForm(session, editable, {
    page: `${LEGACY}/edit`,
    kept: () => LEGACY,
    left: LEGACY,
    name: () => t("plan"),
    about: t("legacyText"),
  });
}

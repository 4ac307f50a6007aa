import { send, t } from "../../core/base.js";
import { readModule } from "../../core/names.js";
import { editableThing } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { IDENTITY_API, PROFILE } from "./parts.js";
import { PROFILE_API, readProfile } from "./reading.js";

/** @type {Page} */
export default async function profileForm({ session }) {
  const [module, profile, roles] = await Promise.all([
    readModule("identity"),
    readProfile(),
    send("GET", `${IDENTITY_API}/roles?limit=1`),
  ]);
  // With roles, the newest one is the current role.
  const fields = (module?.fields ?? []).filter(({ name }) =>
    name !== "currentRole" || roles.data.items.length === 0
  );
  const one = profile === null ? null : PROFILE_API;
  return await draftForm(
    session,
    editableThing(fields, { list: PROFILE_API, one, idName: "profileId" }),
    {
      page: `${PROFILE}/edit`,
      kept: () => PROFILE,
      left: PROFILE,
      name: () => t("profile"),
    },
  );
}

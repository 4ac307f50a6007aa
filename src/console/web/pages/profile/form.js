/** The profile, written for the first time or changed. */

import { ApiError, send } from "../../core/api.js";
import { readModule } from "../../core/catalog.js";
import { t } from "../../core/text.js";
import { writtenThing } from "../../core/written.js";
import { writingForm } from "../writing_form.js";
import { IDENTITY_API, PROFILE } from "./parts.js";

const PATH = `${IDENTITY_API}/profile`;

/** @type {import("../../pages.js").Page} */
export default async function profileForm({ session }) {
  const [module, profile, roles] = await Promise.all([
    readModule("identity"),
    readProfile(),
    send("GET", `${IDENTITY_API}/roles?limit=1`),
  ]);
  // Once there are roles, the newest one says what the present one is.
  const fields = (module?.fields ?? []).filter(({ name }) =>
    name !== "currentRole" || roles.data.items.length === 0
  );
  const one = profile === null ? null : PATH;
  return await writingForm(
    session,
    writtenThing(fields, { list: PATH, one, idName: "profileId" }),
    {
      page: `${PROFILE}/edit`,
      kept: () => PROFILE,
      left: PROFILE,
      name: () => t("profile"),
    },
  );
}

/** The profile; null as long as there is none. */
export async function readProfile() {
  return await readIfThere(PATH);
}

/**
 * What the API has at a path; null where it has nothing.
 *
 * @param {string} path
 */
export async function readIfThere(path) {
  try {
    return (await send("GET", path)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === "RECORD_NOT_FOUND") return null;
    throw error;
  }
}

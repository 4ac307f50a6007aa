/** What there is one of for each profile, or none. */

import { ApiError, send } from "../../core/api.js";
import { IDENTITY_API } from "./parts.js";

export const PROFILE_API = `${IDENTITY_API}/profile`;

/** The profile; null as long as there is none. */
export async function readProfile() {
  return await readIfThere(PROFILE_API);
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

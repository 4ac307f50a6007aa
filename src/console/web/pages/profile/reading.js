import { ApiError, send } from "../../core/base.js";
import { IDENTITY_API } from "./parts.js";

export const PROFILE_API = `${IDENTITY_API}/profile`;

export async function readProfile() {
  return await readIfThere(PROFILE_API);
}

/** Null for 404. @param {string} path */
export async function readIfThere(path) {
  try {
    return (await send("GET", path)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === "RECORD_NOT_FOUND") return null;
    throw error;
  }
}

/** Paths, and who accepts entries. */

export const PEOPLE = "/console/people";
export const PEOPLE_API = "/api/v2/relationship/people";

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${PEOPLE}/${id}`, api: `${PEOPLE_API}/${id}` };
}

/** Archived and sealed people accept no entries. @param {{ status: string }} person */
export function isOpen({ status }) {
  return status === "ACTIVE" || status === "PAUSED";
}

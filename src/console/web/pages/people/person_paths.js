/** The paths of people in the console and in the API, and who accepts entries. */

export const PEOPLE = "/console/people";
export const PEOPLE_API = "/api/v2/relationship/people";

/**
 * @param {string | undefined} id
 */
export function pathsOf(id) {
  return { page: `${PEOPLE}/${id}`, api: `${PEOPLE_API}/${id}` };
}

/**
 * True if a person accepts entries: not if archived or sealed.
 *
 * @param {{ status: string }} person
 */
export function isOpen({ status }) {
  return status === "ACTIVE" || status === "PAUSED";
}

/** Where the console shows people, where the API has them, and what may be written about whom. */

export const PEOPLE = "/console/people";
export const PEOPLE_API = "/api/v2/relationship/people";

/**
 * @param {string | undefined} id
 */
export function pathsOf(id) {
  return { page: `${PEOPLE}/${id}`, api: `${PEOPLE_API}/${id}` };
}

/**
 * Whether anything is written about a person: neither where it is archived nor where it is sealed.
 *
 * @param {{ status: string }} person
 */
export function isOpen({ status }) {
  return status === "ACTIVE" || status === "PAUSED";
}

/**
 * Members without a value are left out.
 * @param {string} code @param {string} title @param {object} payload @returns {LineRecord}
 */
export function record(code, title, payload) {
  const members = Object.entries(payload).filter(([, value]) => value !== undefined);
  const body = { title, payload: Object.fromEntries(members) };
  return { path: `/api/v2/records/${code}`, body };
}

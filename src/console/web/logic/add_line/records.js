/** @param {string} code @param {string} title @param {object} payload @returns {LineRecord} */
export function record(code, title, payload) {
  return { path: `/api/v2/records/${code}`, body: { title, payload } };
}

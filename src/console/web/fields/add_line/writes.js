/** The requests that store a line. */

/** Modules whose words must not outlive the tab. */
const SENSITIVE = [
  "relationship",
  "commitment",
  "health",
  "memory",
  "capture",
  "timeline",
  "community",
];

/** @param {string} list */
export function isSensitive(list) {
  return SENSITIVE.includes(list);
}

/**
 * One for each record, and one for each detail of a person, whose path has an earlier answer's
 * identifier.
 * @param {readonly LineRecord[]} records
 * @returns {LineWrite[]}
 */
export function writesOf(records) {
  const method = "POST";
  return records.flatMap(({ path, body, details = [] }, answer) => [
    { method, path, body, words: restOf(body) },
    ...details.map((detail) => ({
      method,
      path: [`${path}/`, { answer, member: "personId" }, "/details"],
      body: detail,
      words: detail.value.value,
    })),
  ]);
}

/** The words of a record that was not stored with the others. @param {any} body */
function restOf({ payload }) {
  return payload?.unit === undefined ? "" : `${payload.value} ${payload.unit}`;
}

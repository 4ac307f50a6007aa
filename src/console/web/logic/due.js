const AHEAD_DAYS = 7;

/**
 * Fields for the due time and the state.
 *
 * @type {readonly {
 *   module: string,
 *   time: string,
 *   open: (payload: any) => boolean,
 *   queries: readonly string[],
 * }[]}
 */
const SOURCES = [
  bySelect("commitment", "dueAt", "completionStatus", ["OPEN", "IN_PROGRESS", "RENEGOTIATED"]),
  bySelect("action", "targetDate", "actionStatus", ["PLANNED", "ACTIVE", "BLOCKED"]),
  bySelect("routine", "nextDueAt", "active", ["true"]),
  // Modules with dedicated routes do not accept conditions: all records are read.
  {
    module: "decision",
    time: "reviewAt",
    open: ({ actualOutcome }) => actualOutcome === undefined,
    queries: [""],
  },
];

/**
 * @param {string} module
 * @param {string} time
 * @param {string} state
 * @param {readonly string[]} open States of unfinished items.
 */
function bySelect(module, time, state, open) {
  return {
    module,
    time,
    open: (/** @type {any} */ payload) => open.includes(String(payload[state])),
    queries: open.map((value) => `&filter[${state}]=${value}&filter[${time}][lte]=`),
  };
}

/**
 * Together they contain everything that is due.
 *
 * @param {Date} now
 */
export function dueLists(now) {
  const end = endOfDay(now, AHEAD_DAYS).toISOString();
  return SOURCES.flatMap(({ module, queries }) =>
    queries.map((query) => `/api/v2/records/${module}?limit=100${query}${query && end}`)
  );
}

/**
 * @typedef {object} Due
 * @property {any} record
 * @property {string} at
 * @property {boolean} isOverdue
 * @property {number} days From today by the device's calendar; negative for overdue.
 */

/**
 * Records due within a week, longest overdue first.
 *
 * @param {readonly any[]} records
 * @param {Date} now
 * @returns {Due[]}
 */
export function dueAmong(records, now) {
  return records.flatMap((record) => {
    const source = SOURCES.find(({ module }) => module === record.moduleCode);
    const at = record.payload[source?.time ?? ""];
    const isOpen = record.archivedAt === null && source?.open(record.payload);
    if (!isOpen || at === undefined || new Date(at) > endOfDay(now, AHEAD_DAYS)) return [];
    return [{ record, at, isOverdue: new Date(at) < now, days: daysBetween(now, new Date(at)) }];
  }).sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/**
 * Midnights between two times on this device.
 *
 * @param {Date} from
 * @param {Date} to
 */
export function daysBetween(from, to) {
  const [first, last] = [from, to].map((time) =>
    Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())
  );
  return ((last ?? 0) - (first ?? 0)) / 86_400_000;
}

/**
 * @param {Date} now
 * @param {number} days
 */
function endOfDay(now, days) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 23, 59, 59, 999);
}

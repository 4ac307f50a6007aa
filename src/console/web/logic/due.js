/** What is due, from the modules' own fields. */

const AHEAD_DAYS = 7;

/**
 * The fields that state when something is due, and whether it is open.
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
  // A module with dedicated routes does not accept conditions, so all of its records are read.
  {
    module: "decision",
    time: "reviewAt",
    open: ({ actualOutcome }) => actualOutcome === undefined,
    queries: [""],
  },
];

/**
 * @param {string} module
 * @param {string} time The field with the due time.
 * @param {string} state The field with the state.
 * @param {readonly string[]} open The states of an unfinished item.
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
 * The lists that contain everything that is due.
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
 * @property {number} days From today, by the calendar of this device; below zero for days gone.
 */

/**
 * The records that are due now or within a week: the longest overdue first.
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
 * The number of midnights on this device between two times.
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
 * @param {number} days After today.
 */
function endOfDay(now, days) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 23, 59, 59, 999);
}

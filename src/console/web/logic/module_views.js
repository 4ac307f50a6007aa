/** The values of each module that matter in its list and its form, and what is open. */

/**
 * @typedef {object} ModuleView
 * @property {readonly string[]} facts Fields in a line; a unit is joined to its value by a plus sign.
 * @property {string | undefined} time When it is due, or happened.
 * @property {readonly string[]} open A field, and its values while something is not done; or empty.
 * @property {boolean} isDue True if what is open can be overdue.
 */

/** Facts; the time; what is open; whether it can be overdue. */
const VIEWS = /** @type {Readonly<Record<string, string>>} */ ({
  commitment:
    "completionStatus counterparty dueAt; dueAt; completionStatus OPEN IN_PROGRESS RENEGOTIATED; due",
  action:
    "actionStatus actionType targetDate; targetDate; actionStatus PLANNED ACTIVE BLOCKED; due",
  routine: "area nextDueAt; nextDueAt; active true; due",
  health: "value+unit metricType measuredAt; measuredAt",
  capture: "routeStatus capturedAt; capturedAt; routeStatus INBOX SUGGESTED CONFIRMED",
  interview: "interviewStatus askedAt; ; interviewStatus CANDIDATE SCHEDULED ASKED",
  knowledge: "readingStatus author sourceType; ; readingStatus UNREAD READING",
  publication: "publicationStatus publicationType publishedAt; ; publicationStatus DRAFT REVIEWED",
  "ai-agent": "sessionType approvalStatus model; ; approvalStatus PENDING",
  constitution: "entryType priority",
  review: "reviewType periodEnd; periodEnd",
  "personal-model": "modelType confidence",
  timeline: "eventType location startAt; startAt",
  media: "mediaType recordedAt; recordedAt",
  integration: "provider authorizationStatus lastSyncAt",
  legacy: "planType legacyStatus",
  community: "communityType role",
  place: "placeType lastVisitedAt",
});

/** @param {string} code @returns {ModuleView} */
export function viewOf(code) {
  const [facts = [], [time] = [], open = [], [due] = []] = (VIEWS[code] ?? "").split(";")
    .map((part) => part.split(" ").filter((word) => word !== ""));
  return { facts, time, open, isDue: due !== undefined };
}

/** @typedef {"open" | "overdue" | "month"} Quick */

/** The quick filters of a module. @param {ModuleView} view @returns {Quick[]} */
export function quickFilters({ open, isDue }) {
  const names = /** @type {const} */ (["open", "overdue", "month"]);
  return names.filter((name) => name === "month" || (name === "open" ? open.length > 0 : isDue));
}

/**
 * The API's conditions of a quick filter: records that meet one of them.
 *
 * @param {ModuleView} view
 * @param {string | null} quick
 * @param {Date} now
 * @returns {Record<string, string>[]}
 */
export function conditionsOfQuick({ open, time, isDue }, quick, now) {
  const [field = "", ...values] = open;
  const isOpen = values.map((value) => ({ [`filter[${field}]`]: value }));
  if (quick === "open" && values.length > 0) return isOpen;
  if (quick === "overdue" && isDue) {
    return isOpen.map((one) => ({ ...one, [`filter[${time}][lte]`]: now.toISOString() }));
  }
  if (quick !== "month") return [{}];
  const [from, to] = [0, 1].map((months) =>
    new Date(new Date(now.getFullYear(), now.getMonth() + months).getTime() - months).toISOString()
  );
  const [first, last] = time === undefined
    ? ["createdFrom", "createdTo"]
    : [`filter[${time}][gte]`, `filter[${time}][lte]`];
  return [{ [first]: from ?? "", [last]: to ?? "" }];
}

/**
 * The values that complete a record; null if its module has no such state, or it is not open.
 *
 * @param {string} moduleCode
 * @param {Date} now
 * @returns {Record<string, unknown> | null}
 */
export function completion(moduleCode, now) {
  switch (moduleCode) {
    case "commitment":
      return { completionStatus: "COMPLETED", completedAt: now.toISOString() };
    case "action":
      return { actionStatus: "COMPLETED" };
    case "routine":
      return { lastCompletedAt: now.toISOString() };
    default:
      return null;
  }
}

/** @param {ModuleView} view @param {any} payload */
export function isOpen({ open }, payload) {
  const [field = "", ...values] = open;
  return values.includes(String(payload[field]));
}

/**
 * The change that undoes another one, without other fields.
 *
 * @param {Readonly<Record<string, unknown>>} before
 * @param {Readonly<Record<string, unknown>>} after
 */
export function undoing(before, after) {
  const names = Object.keys({ ...before, ...after }).filter((name) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name])
  );
  const had = names.filter((name) => before[name] !== undefined);
  const removed = names.filter((name) => before[name] === undefined);
  return {
    ...(had.length > 0 && {
      payload: Object.fromEntries(had.map((name) => [name, before[name]])),
    }),
    ...(removed.length > 0 && { payloadRemove: removed }),
  };
}

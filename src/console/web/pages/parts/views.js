/** The values of each module that matter in a list. */

/**
 * By module: facts; the time; a state and its open values; `due` if it can be overdue.
 * @type {Texts}
 */
const VIEWS = {
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
};

/** @param {string} code @returns {ModuleView} */
export function viewOf(code) {
  const [facts = [], [time] = [], open = [], [due] = []] = (VIEWS[code] ?? "").split(";")
    .map((part) => part.match(/\S+/g) ?? []);
  return { facts, time, open, isDue: due !== undefined };
}

/**
 * The API's conditions of a quick filter (open, overdue or month): records that meet one of them.
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

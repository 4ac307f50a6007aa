/** The values of each module that matter in a list. */

/** @type {Readonly<Record<string, Partial<ModuleView>>>} */
const VIEWS = {
  commitment: {
    facts: ["completionStatus", "counterparty", "dueAt"],
    time: "dueAt",
    open: { field: "completionStatus", values: ["OPEN", "IN_PROGRESS", "RENEGOTIATED"] },
    isDue: true,
  },
  action: {
    facts: ["actionStatus", "actionType", "targetDate"],
    time: "targetDate",
    open: { field: "actionStatus", values: ["PLANNED", "ACTIVE", "BLOCKED"] },
    isDue: true,
  },
  routine: {
    facts: ["area", "nextDueAt"],
    time: "nextDueAt",
    open: { field: "active", values: ["true"] },
    isDue: true,
  },
  health: { facts: ["value", "metricType", "measuredAt"], time: "measuredAt" },
  capture: {
    facts: ["routeStatus", "capturedAt"],
    time: "capturedAt",
    open: { field: "routeStatus", values: ["INBOX", "SUGGESTED", "CONFIRMED"] },
  },
  interview: {
    facts: ["interviewStatus", "askedAt"],
    open: { field: "interviewStatus", values: ["CANDIDATE", "SCHEDULED", "ASKED"] },
  },
  knowledge: {
    facts: ["readingStatus", "author", "sourceType"],
    open: { field: "readingStatus", values: ["UNREAD", "READING"] },
  },
  publication: {
    facts: ["publicationStatus", "publicationType", "publishedAt"],
    open: { field: "publicationStatus", values: ["DRAFT", "REVIEWED"] },
  },
  "ai-agent": {
    facts: ["sessionType", "approvalStatus", "model"],
    open: { field: "approvalStatus", values: ["PENDING"] },
  },
  constitution: { facts: ["entryType", "priority"] },
  review: { facts: ["reviewType", "periodEnd"], time: "periodEnd" },
  "personal-model": { facts: ["modelType", "confidence"] },
  timeline: { facts: ["eventType", "location", "startAt"], time: "startAt" },
  media: { facts: ["mediaType", "recordedAt"], time: "recordedAt" },
  integration: { facts: ["provider", "authorizationStatus", "lastSyncAt"] },
  legacy: { facts: ["planType", "legacyStatus"] },
  community: { facts: ["communityType", "role"] },
  place: { facts: ["placeType", "lastVisitedAt"] },
};

/** @param {string} code @returns {ModuleView} */
export function viewOf(code) {
  return { facts: [], time: undefined, open: undefined, isDue: false, ...VIEWS[code] };
}

/**
 * The API's conditions of a quick filter (open, overdue or month): records that meet one of them.
 * @param {ModuleView} view
 * @param {string | null} quick
 * @param {Date} now
 * @returns {Record<string, string>[]}
 */
export function conditionsOfQuick({ open, time, isDue }, quick, now) {
  const isOpen = open?.values.map((value) => ({ [`filter[${open.field}]`]: value })) ?? [];
  if (quick === "open" && open !== undefined) return isOpen;
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

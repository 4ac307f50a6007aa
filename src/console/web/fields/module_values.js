/** The facts of a module in a line of a list, and its one-press acts. */

import { repeatable } from "../core/acts.js";
import {
  announce,
  announceChange,
  ApiError,
  failureText,
  h,
  notLoaded,
  send,
  t,
} from "../core/base.js";
import { daysBetween, startOfDay } from "./shown.js";

/** The values of each module that matter in its list and its form, and what is open. */

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

/** The quick filters of a module. @param {ModuleView} view @returns {QuickFilter[]} */
export function quickFilters({ open, isDue }) {
  const names = /** @type {const} */ (["open", "overdue", "month"]);
  return names.filter((name) => name === "month" || (name === "open" ? open.length > 0 : isDue));
}

/**
 * The API's conditions of a quick filter: records that meet one of them.
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

/** Groups due items by this device's days. */

const AHEAD_DAYS = 7;

/** The list of what is due until the end of a week. @param {Date} now */
export function dueList(now) {
  const until = startOfDay(now, AHEAD_DAYS + 1).toISOString();
  return `/api/v2/due?limit=100&until=${encodeURIComponent(until)}`;
}

/**
 * The items by day: what is overdue first, then each day that has any.
 * @param {readonly Due[]} items Earliest first.
 * @param {Date} now
 * @returns {DueDay[]}
 */
export function byDay(items, now) {
  const days = Map.groupBy(items, (item) => item.overdue ? null : daysUntil(item, now));
  return [...days].map(([days, items]) => ({ days, items }))
    .sort((one, other) => (one.days ?? -Infinity) - (other.days ?? -Infinity));
}

/**
 * How many days an item is from today; below zero for days gone.
 * @param {Due} item
 * @param {Date} now
 */
export function daysUntil({ at, date }, now) {
  return daysBetween(now, new Date(at ?? `${date}T00:00`));
}

/** One press completes a record, the next one undoes that. */

/**
 * @param {Session} session
 * @param {{ moduleCode: string, recordId: string, title: string }} record
 * @returns {HTMLButtonElement | false} false if the record cannot be completed.
 */
export function doneButton({ account, permissions }, { moduleCode, recordId, title }) {
  const isAllowed = permissions.includes("record.write");
  if (!isAllowed || completion(moduleCode, new Date()) === null) return false;
  const path = `/api/v2/records/${moduleCode}/${recordId}`;
  /** @type {{ body: any, before: any, send: ProvenSend } | null} */
  let act = null;
  /** @type {any} The body that undoes it; null if it is not done. */
  let undo = null;
  const show = () => {
    const isDone = undo !== null;
    button.textContent = t(isDone ? "undo" : "done");
    button.setAttribute("aria-label", t(isDone ? "undoThing" : "doneThing", { title }));
    button.closest("li")?.classList.toggle("done", isDone);
  };
  const press = async () => {
    // A repetition after a failure sends the same request.
    act ??= undo === null
      ? {
        before: (await send("GET", path)).data.payload,
        body: { payload: completion(moduleCode, new Date()) },
        send: repeatable(),
      }
      : { before: null, body: undo, send: repeatable() };
    const { before, body, send: sendAct } = act;
    const { data } = await sendAct("PATCH", path, { body });
    act = null;
    undo = before && { ...undoing(before, data.payload), expectedRevision: data.revision };
    announce(t(undo === null ? "undone" : "completed", { title }));
    announceChange(path);
    show();
  };
  let isWorking = false;
  const onclick = async () => {
    if (isWorking) return;
    isWorking = true;
    const { withSession } = await import("../core/acts.js").catch(notLoaded);
    await withSession(account.email, press).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
      // The next press reads the record again.
      if (error.status === 409) act = null;
    }).finally(() => isWorking = false);
  };
  const button = h("button", { "aria-keyshortcuts": "x", onclick });
  show();
  return button;
}

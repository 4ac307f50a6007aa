/** Due items and their completion. */

import { undoableButton } from "../../core/acts/buttons.js";
import { ApiError } from "../../core/base/api.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { contactNow, daysBetween, startOfDay } from "../../fields/shown/times.js";
import { deviceTime, restorable } from "../../logic/local_time.js";
import { icon } from "../../core/base/icons.js";
import { viewOf } from "./views.js";

/**
 * The values that complete a record, on the device's clock; null for a module without such a state.
 * @param {string} moduleCode
 * @param {Date} now
 */
export function completion(moduleCode, now) {
  switch (moduleCode) {
    case "commitment":
      return { completionStatus: "COMPLETED", completedAt: deviceTime(now.getTime()) };
    case "action":
      return { actionStatus: "COMPLETED" };
    case "routine":
      return { lastCompletedAt: deviceTime(now.getTime()) };
    default:
      return null;
  }
}

/** @param {ModuleView} view @param {any} payload */
export function isOpen({ open }, payload) {
  return open?.values.includes(String(payload[open.field])) ?? false;
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
  const payload = Object.fromEntries(had.map((name) => [name, restorable(before[name])]));
  return {
    ...(had.length > 0 && { payload }),
    ...(removed.length > 0 && { payloadRemove: removed }),
  };
}

/** Overdue ones as well. @param {Date} now @param {number} days The days after today. */
export function dueList(now, days) {
  const until = startOfDay(now, days + 1).toISOString();
  return `/api/v2/due?limit=100&until=${encodeURIComponent(until)}`;
}

/**
 * The items by day: overdue ones first, then each day that has any.
 * @param {readonly Due[]} items
 * @param {Date} now
 */
export function byDay(items, now) {
  const days = Map.groupBy(items, (item) => item.overdue ? null : daysUntil(item, now));
  return [...days].map(([days, items]) => ({ days, items }))
    .sort((one, other) => (one.days ?? -Infinity) - (other.days ?? -Infinity));
}

/** Days from today; below zero for days gone. @param {Due} item @param {Date} now */
export function daysUntil({ at, date }, now) {
  return daysBetween(now, new Date(at ?? `${date}T00:00`));
}

/** @param {boolean} isCurrent @throws {ApiError} a conflict. */
function refuseUnless(isCurrent) {
  if (!isCurrent) throw new ApiError("REVISION_CONFLICT", { status: 409 });
}

/**
 * A change of an object's values. Its undo restores the former ones, unless they have changed.
 * @param {string} path
 * @param {(values: any) => Readonly<Record<string, unknown>>} change
 * @param {ValuesForm} [form]
 * @returns {Promise<UndoableStep>}
 */
export async function revising(path, change, { valuesOf, bodyOf } = RECORD) {
  const before = await get(path);
  const payload = change(valuesOf(before));
  /** @type {(changes: object, revision: number) => UndoableStep} */
  const step = (changes, expectedRevision) => {
    return { method: "PATCH", path, body: { ...changes, expectedRevision } };
  };
  return {
    ...step(bodyOf({ payload }), before.revision),
    async undo(done) {
      const now = await get(path);
      const undone = undoing(valuesOf(before), valuesOf(done));
      const names = [...Object.keys(undone.payload ?? {}), ...undone.payloadRemove ?? []];
      refuseUnless(names.every((name) => valuesOf(now)[name] === valuesOf(done)[name]));
      // The service accepts unchanged values, but not a request without any value.
      return step(bodyOf(names.length === 0 ? { payload } : undone), now.revision);
    },
  };
}

/** @type {ValuesForm} */
const RECORD = { valuesOf: ({ payload }) => payload, bodyOf: (changes) => changes };

/**
 * A round box that completes a record; its undo restores the former values.
 * @param {Titled} record
 * @param {(data: any) => void} [then] Called after a change with the record.
 * @returns {HTMLButtonElement | false} false if the record cannot be completed.
 */
export function doneButton({ moduleCode, recordId, title }, then) {
  if (!may("record.write") || completion(moduleCode, new Date()) === null) return false;
  const button = undoableButton({
    name: t("done"),
    label: `${t("done")}: ${title}`,
    done: t("completed", { title }),
    undone: t("undone", { title }),
    title,
    symbol: () => icon("check"),
    ...(then && { then }),
    act: () =>
      revising(`/api/v2/records/${moduleCode}/${recordId}`, (values) => {
        refuseUnless(isOpen(viewOf(moduleCode), values));
        return completion(moduleCode, new Date()) ?? {};
      }),
  });
  button.className = "anchor tick";
  return button;
}

/** Adds a contact of this minute with a person; its undo retracts it. @param {Titled} person */
export function spokeButton({ recordId, title }) {
  const path = `/api/v2/relationship/people/${recordId}/contacts`;
  const method = "POST";
  return may("relationship.ledger.write") && undoableButton({
    name: t("spoke"),
    label: `${t("spoke")}: ${title}`,
    done: t("spokeDone"),
    undone: t("contactUndone"),
    title,
    symbol: (isDone) => icon(isDone ? "undo" : "spoke"),
    act: () => ({
      method,
      path,
      body: contactNow(),
      undo: ({ contactId }) => ({
        method,
        path: `${path}/${contactId}/control`,
        body: { kind: "RETRACTED" },
      }),
    }),
  });
}

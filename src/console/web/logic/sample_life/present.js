/** Open commitments, projects and routines of the sample life. */

import { item } from "./calendar.js";

/** @type {LifePart} */
export function dueItems({ commitments, actions, routines, people }, on) {
  const nameOf = (/** @type {string} */ key) => people[key]?.name;
  /** @type {(key: string, fields: object) => object} */
  const commitment = (key, fields) => {
    const [title = key, content = key] = commitments[key] ?? [];
    const payload = { content, completionStatus: "OPEN", ...fields };
    return item(`commitment-${key}`, "commitment", title, payload);
  };
  /** @type {(key: string, fields: object) => object} */
  const action = (key, fields) => {
    const [actionTitle = key, successCriteria = key] = actions[key] ?? [];
    const payload = {
      actionTitle,
      successCriteria,
      actionType: "TASK",
      actionStatus: "PLANNED",
      ...fields,
    };
    return item(`action-${key}`, "action", actionTitle, payload);
  };
  /** @type {(key: string, intervalDays: number, days: number, hour: number) => object} */
  const routine = (key, intervalDays, days, hour) => {
    const [routineName = key, area = key] = routines[key] ?? [];
    const lastCompletedAt = on.at(Math.min(days - intervalDays, -1), hour);
    const nextDueAt = on.at(days, hour);
    const payload = { routineName, area, intervalDays, lastCompletedAt, nextDueAt, active: true };
    return item(`routine-${key}`, "routine", routineName, payload);
  };
  const [done, lastWeek] = ["COMPLETED", on.at(-12, 17)];
  return [
    commitment("ladder", {
      commitmentType: "BORROWED",
      counterparty: nameOf("brandt"),
      dueAt: on.at(0, 23, 59),
    }),
    commitment("photographs", {
      commitmentType: "OUTGOING",
      counterparty: nameOf("ines"),
      dueAt: on.at(2, 18),
    }),
    commitment("school", { commitmentType: "PENDING_REPLY", dueAt: on.at(6, 9) }),
    commitment("book", { commitmentType: "LENT", counterparty: nameOf("leyla") }),
    commitment("dentist", { commitmentType: "OPEN_LOOP", dueAt: on.at(-3, 15, 30) }),
    commitment("cake", {
      commitmentType: "OUTGOING",
      completionStatus: done,
      completedAt: lastWeek,
    }),
    action("swim", {
      actionType: "GOAL",
      actionStatus: "ACTIVE",
      targetDate: on.at(90, 23, 59),
      priority: 2,
    }),
    action("shelves", {
      actionType: "PROJECT",
      actionStatus: "ACTIVE",
      targetDate: on.at(30, 23, 59),
    }),
    action("paint", { targetDate: on.at(1, 23, 59) }),
    action("passport", { targetDate: on.at(20, 23, 59) }),
    action("seeds", { targetDate: on.at(0, 23, 59) }),
    action("gutter", { actionStatus: done, targetDate: on.at(-13, 23, 59) }),
    routine("plants", 4, 0, 19),
    routine("bins", 7, 2, 7),
    routine("walk", 3, 1, 17),
    routine("backup", 30, 5, 12),
  ];
}

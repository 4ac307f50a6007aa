/** Moves due items to a later day. */

import { undoableButton } from "../../core/acts/buttons.js";
import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { icon } from "../../core/base/icons.js";
import { revising } from "./due.js";
import { menuButton } from "./menu.js";
import { snoozed } from "./snooze_days.js";

/** The field with the due time, by module. @type {Texts} */
const DUE_FIELDS = {
  commitment: "dueAt",
  action: "targetDate",
  routine: "nextDueAt",
  decision: "reviewAt",
};

/** @type {ValuesForm} */
const DECISION = {
  valuesOf: ({ reviewAt }) => ({ reviewAt }),
  bodyOf: ({ payload }) => ({ set: payload }),
};

const CHOICES = /** @type {const} */ (["tomorrow", "weekend", "nextWeek"]);

/**
 * A menu of days and, after a choice, a button that takes it back.
 * @param {Titled} item
 * @param {(dueAt: string, data: any) => void} [then] Called after each change.
 * @returns {readonly Child[]} none if it has no date to move.
 */
export function snoozeButtons({ moduleCode, recordId, title }, then) {
  const field = DUE_FIELDS[moduleCode];
  const isDecision = moduleCode === "decision";
  if (field === undefined || !may(isDecision ? "decision.write" : "record.write")) return [];
  const path = isDecision
    ? `/api/v2/decision/decisions/${recordId}`
    : `/api/v2/records/${moduleCode}/${recordId}`;
  const form = isDecision ? DECISION : undefined;
  const name = t("snooze");
  const label = `${name}: ${title}`;
  /** @type {import("./snooze_days.js").Snooze} */
  let until = "tomorrow";
  let isMoved = false;
  const undo = undoableButton({
    name,
    label,
    done: t("snoozed", { title }),
    undone: t("snoozeUndone", { title }),
    title,
    mark: "later",
    symbol: () => icon("undo"),
    choice: () => until,
    act: () =>
      revising(path, (values) => ({ [field]: snoozed(values[field], until, new Date()) }), form),
    then(data) {
      isMoved = !isMoved;
      const hadFocus = document.activeElement === (isMoved ? open : undo);
      [undo.hidden, open.hidden] = [!isMoved, isMoved];
      if (hadFocus) (isMoved ? undo : open).focus();
      then?.((isDecision ? data : data.payload)[field], data);
    },
  });
  undo.hidden = true;
  // The key completes the line.
  undo.removeAttribute("aria-keyshortcuts");
  const items = CHOICES.map((choice) => {
    const onclick = () => {
      until = choice;
      undo.click();
    };
    return h("button.plain", { onclick }, t(choice));
  });
  const [open, menu] = menuButton(icon("later"), label, items);
  return [open, menu, undo];
}

/**
 * The conditions of the modules' rules. They ignore a field that is absent or of the wrong type,
 * because the field checks report it. Only "requires" checks for absence, if the requiring field is
 * present.
 */

import { withClockTolerance } from "../core/clock.ts";
import { hasCredential } from "../errors/scrub.ts";
import { isBlank } from "../validate/text.ts";
import type { CheckedRule, PolicyContext, StatedRule } from "./module.ts";
import type { PayloadView } from "./payload_view.ts";

/** `fields` are named if the condition does not hold. */
interface Condition {
  readonly fields: readonly string[];
  readonly holds: (payload: PayloadView, context: PolicyContext) => boolean;
}

type ValueType = "text" | "number" | "time";

interface Selection {
  readonly field: string;
  readonly options: readonly string[];
}

/** The name is public and must never change. */
export function rule(name: string, statement: string, condition: Condition): CheckedRule {
  return {
    name,
    statement,
    fields: condition.fields,
    holds: condition.holds,
    enforced: "policy",
  };
}

/** States a rule that the module's normalisation makes true. */
export function normalisation(
  name: string,
  statement: string,
  fields: readonly string[],
): StatedRule {
  return { name, statement, fields, enforced: "normalisation" };
}

/** About the stored state; enforced by the module's own routes and tables. */
export function storageRule(
  name: string,
  statement: string,
  fields: readonly string[],
): StatedRule {
  return { name, statement, fields, enforced: "storage" };
}

/** The time is at most five minutes after the server's clock. */
export function notInTheFuture(field: string): Condition {
  return {
    fields: [field],
    holds: (payload, { now }) => {
      const time = payload.time(field);
      return time === undefined || time <= withClockTolerance(now).getTime();
    },
  };
}

/** The first time is not after the last. */
export function ordered(first: string, last: string): Condition {
  return { fields: [first, last], holds: (payload) => compareTimes(payload, first, last) <= 0 };
}

export function strictlyOrdered(first: string, last: string): Condition {
  return { fields: [first, last], holds: (payload) => compareTimes(payload, first, last) < 0 };
}

/** Negative if a time is absent or invalid, so that the rule holds. */
function compareTimes(payload: PayloadView, first: string, last: string): number {
  const start = payload.time(first);
  const end = payload.time(last);
  return start === undefined || end === undefined ? -1 : start - end;
}

/** If the field is set, the other one must be too. */
export function requires(field: string, type: ValueType, required: string): Condition {
  return {
    fields: [field, required],
    holds: (payload) => payload[type](field) === undefined || isFilled(payload, required),
  };
}

/** If the selection is made, the field must be filled in, unless the exception is selected. */
export function requiredWhen(
  field: string,
  selection: Selection,
  exception?: Selection,
): Condition {
  const fields = [selection.field, field, ...(exception === undefined ? [] : [exception.field])];
  return {
    fields,
    holds: (payload) =>
      isSelected(payload, selection) !== true ||
      (exception !== undefined && isSelected(payload, exception) !== false) ||
      isFilled(payload, field),
  };
}

/** The field must be absent if the selection is made. */
export function forbiddenWhen(field: string, type: ValueType, selection: Selection): Condition {
  return {
    fields: [field, selection.field],
    holds: (payload) =>
      payload[type](field) === undefined || isSelected(payload, selection) !== true,
  };
}

/** The field must be absent unless the selection is made. */
export function allowedOnlyWhen(field: string, type: ValueType, selection: Selection): Condition {
  return {
    fields: [field, selection.field],
    holds: (payload) =>
      payload[type](field) === undefined || isSelected(payload, selection) !== false,
  };
}

export function textSatisfies(
  field: string,
  test: (text: string, context: PolicyContext) => boolean,
): Condition {
  return {
    fields: [field],
    holds: (payload, context) => {
      const text = payload.text(field);
      return text === undefined || test(text, context);
    },
  };
}

export function listSatisfies(
  field: string,
  test: (texts: readonly string[]) => boolean,
): Condition {
  return {
    fields: [field],
    holds: (payload) => {
      const texts = payload.list(field);
      return texts === undefined || test(texts);
    },
  };
}

/** No key or text in the JSON value looks like a credential. */
export function withoutCredentials(field: string): Condition {
  return {
    fields: [field],
    holds: (payload) => {
      const value = payload.json(field);
      return value === undefined || !hasCredential(value);
    },
  };
}

export function isSelected(payload: PayloadView, selection: Selection): boolean | undefined {
  const option = payload.text(selection.field);
  return option === undefined ? undefined : selection.options.includes(option);
}

/** Neither absent, nor a blank text, nor an empty list. */
function isFilled(payload: PayloadView, field: string): boolean {
  const text = payload.text(field);
  if (text !== undefined) return !isBlank(text);
  return payload.has(field) && payload.list(field)?.length !== 0;
}

/**
 * The conditions that the module files build their rules from.
 *
 * A condition never judges a field that is absent or of the wrong type: the field checks do that,
 * and one mistake should not be reported twice. "Requires" alone looks for absence, and then only
 * when the field that requires is there.
 */

import { hasCredential } from "../errors/scrub.ts";
import { isBlank } from "../validate/text.ts";
import type { CheckedRule, PolicyContext, StatedRule } from "./module.ts";
import type { PayloadView } from "./payload_view.ts";

/** How far a time may be after the server's clock without counting as future. */
export const CLOCK_TOLERANCE_MILLISECONDS = 5 * 60 * 1000;

/** A condition, and the fields to name if it does not hold. */
export interface Condition {
  readonly fields: readonly string[];
  readonly holds: (payload: PayloadView, context: PolicyContext) => boolean;
}

/** The types of value that a condition distinguishes. */
type ValueType = "text" | "number" | "time";

/** A select field and some of its options. */
interface Selection {
  readonly field: string;
  readonly options: readonly string[];
}

/** A rule that the policy checks. The name is public and must never change. */
export function rule(name: string, statement: string, condition: Condition): CheckedRule {
  return {
    name,
    statement,
    fields: condition.fields,
    holds: condition.holds,
    enforced: "policy",
  };
}

/** A rule that the module's normalisation makes true. */
export function normalisation(
  name: string,
  statement: string,
  fields: readonly string[],
): StatedRule {
  return { name, statement, fields, enforced: "normalisation" };
}

/** A rule about the stored state, enforced by the module's own routes and tables. */
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
      return time === undefined || time <= now.getTime() + CLOCK_TOLERANCE_MILLISECONDS;
    },
  };
}

/** The first time is not after the last. */
export function ordered(first: string, last: string): Condition {
  return { fields: [first, last], holds: (payload) => compareTimes(payload, first, last) <= 0 };
}

/** The first time is before the last. */
export function strictlyOrdered(first: string, last: string): Condition {
  return { fields: [first, last], holds: (payload) => compareTimes(payload, first, last) < 0 };
}

/** Also negative if one of the times is absent or invalid, so that the rule holds. */
function compareTimes(payload: PayloadView, first: string, last: string): number {
  const start = payload.time(first);
  const end = payload.time(last);
  return start === undefined || end === undefined ? -1 : start - end;
}

/** If the field is set, the other one must be set too. */
export function requires(field: string, type: ValueType, required: string): Condition {
  return {
    fields: [field, required],
    holds: (payload) => payload[type](field) === undefined || isFilled(payload, required),
  };
}

/** When the selection is made, the field must be filled in, unless the exception is selected. */
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

/** The field must be absent when the selection is made. */
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

/** The text passes the test. */
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

/** The list of texts passes the test. */
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

/** Whether one of the options is selected; undefined when the field is absent or no text. */
export function isSelected(payload: PayloadView, selection: Selection): boolean | undefined {
  const option = payload.text(selection.field);
  return option === undefined ? undefined : selection.options.includes(option);
}

/** Whether the field is present and neither a blank text nor an empty list. */
function isFilled(payload: PayloadView, field: string): boolean {
  const text = payload.text(field);
  if (text !== undefined) return !isBlank(text);
  return payload.has(field) && payload.list(field)?.length !== 0;
}

import type { JsonObject } from "../../core/json.ts";
import { daysAfter } from "../../validate/local_time.ts";
import { boolean, datetime, feature, number, text, textarea } from "../fields.ts";
import type { CatalogModule, PolicyContext } from "../module.ts";
import { PayloadView } from "../payload_view.ts";
import { normalisation, notInTheFuture, ordered, rule } from "../rules.ts";

const DUE_AFTER_COMPLETION = ordered("lastCompletedAt", "nextDueAt");

/** Activities that repeat after a number of days. */
export const ROUTINE: CatalogModule = {
  code: "routine",
  prefix: "ROU",
  group: "Action and growth",
  completion: "partial",
  access: "GENERIC",
  fields: [
    text("routineName", { required: true }),
    text("area", { required: true }),
    number("intervalDays", { required: true, minimum: 1, maximum: 3650, integer: true }),
    datetime("lastCompletedAt"),
    datetime("nextDueAt"),
    textarea("reminderPolicy"),
    textarea("completionNote"),
    boolean("active", { required: true }),
  ],
  times: ["nextDueAt", "lastCompletedAt"],
  rules: [
    rule(
      "routine.last_completed_at_not_in_the_future",
      "lastCompletedAt is not in the future",
      notInTheFuture("lastCompletedAt"),
    ),
    normalisation(
      "routine.next_due_at_is_derived",
      "when a request sets lastCompletedAt or intervalDays and not nextDueAt, " +
        "lastCompletedAt is known and active is true, nextDueAt is derived: the same local time " +
        "intervalDays calendar days after lastCompletedAt in the zone of its clock, or " +
        "intervalDays times 24 hours after it if its clock has no known zone",
      ["nextDueAt", "lastCompletedAt", "intervalDays"],
    ),
    rule(
      "routine.next_due_at_not_before_last_completed_at",
      "nextDueAt >= lastCompletedAt is checked only when the request sets nextDueAt",
      {
        fields: ["nextDueAt", "lastCompletedAt"],
        holds: (payload, context) =>
          !context.set.has("nextDueAt") || DUE_AFTER_COMPLETION.holds(payload, context),
      },
    ),
  ],
  features: [
    feature("ROU-001", "routine definition", "schedule", "V1.0"),
    feature("ROU-002", "last completion", "record", "V1.0"),
    feature("ROU-003", "next plan", "schedule", "V1.0"),
    feature("ROU-004", "completion record", "record", "V1.0"),
    feature("ROU-005", "life maintenance ledger", "record", "V2.0"),
    feature("ROU-006", "overdue reminder", "notify", "V2.0"),
    feature("ROU-007", "relationship maintenance cycle", "schedule", "V2.0"),
    feature("ROU-008", "adaptive cycle", "schedule", "V3.0"),
  ],
  normalise: deriveNextDueAt,
};

function deriveNextDueAt(payload: JsonObject, { set }: PolicyContext): JsonObject {
  const isMoved = set.has("lastCompletedAt") || set.has("intervalDays");
  if (!isMoved || set.has("nextDueAt")) return payload;
  const view = new PayloadView(payload);
  const lastCompletedAt = view.text("lastCompletedAt");
  const intervalDays = view.number("intervalDays");
  if (view.flag("active") !== true) return payload;
  if (lastCompletedAt === undefined || intervalDays === undefined) return payload;

  const nextDueAt = daysAfter(lastCompletedAt, intervalDays);
  // An interval that leads out of the calendar is rejected by its own range.
  return nextDueAt === null ? payload : { ...payload, nextDueAt };
}

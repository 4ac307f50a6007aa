import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { allowedOnlyWhen, notInTheFuture, rule } from "../rules.ts";

/** Promises made and received, things lent and borrowed, and open loops. */
export const COMMITMENT: CatalogModule = {
  code: "commitment",
  prefix: "CMT",
  group: "People and real-world relations",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("commitmentType", [
      "OUTGOING",
      "INCOMING",
      "OPEN_LOOP",
      "BORROWED",
      "LENT",
      "PENDING_REPLY",
    ], { required: true }),
    text("counterparty"),
    textarea("content", { required: true, sensitive: true }),
    datetime("dueAt"),
    select("completionStatus", [
      "OPEN",
      "IN_PROGRESS",
      "COMPLETED",
      "BROKEN",
      "CANCELLED",
      "RENEGOTIATED",
    ], { required: true }),
    datetime("completedAt"),
    number("reliabilityImpact", { minimum: -5, maximum: 5, integer: true }),
    textarea("notes"),
  ],
  times: ["dueAt", "completedAt"],
  rules: [
    rule(
      "commitment.completed_at_requires_completed",
      "completedAt is allowed only when completionStatus is COMPLETED",
      allowedOnlyWhen("completedAt", "time", { field: "completionStatus", options: ["COMPLETED"] }),
    ),
    rule(
      "commitment.completed_at_not_in_the_future",
      "completedAt is not in the future",
      notInTheFuture("completedAt"),
    ),
  ],
  features: [
    feature("CMT-001", "outgoing commitment", "record", "V1.0"),
    feature("CMT-002", "others' commitment", "record", "V1.0"),
    feature("CMT-003", "open loop", "record", "V1.0"),
    feature("CMT-004", "borrow and lend", "record", "V1.0"),
    feature("CMT-005", "pending reply", "record", "V2.0"),
    feature("CMT-006", "commitment review", "record", "V2.0"),
    feature("CMT-007", "reliability metrics", "record", "V2.0"),
    feature("CMT-008", "overdue escalation", "record", "V3.0"),
  ],
};

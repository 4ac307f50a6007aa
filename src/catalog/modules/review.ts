import { datetime, feature, select, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, ordered, rule } from "../rules.ts";

/** Reviews of a period, from a day to a year. */
export const REVIEW: CatalogModule = {
  code: "review",
  prefix: "REV",
  group: "Action and growth",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("reviewType", [
      "DAILY",
      "WEEKLY",
      "MONTHLY",
      "QUARTERLY",
      "ANNUAL",
      "FAILURE",
      "ACHIEVEMENT",
      "CHANGE_LOG",
    ], { required: true }),
    datetime("periodStart", { required: true }),
    datetime("periodEnd", { required: true }),
    textarea("reviewSummary", { sensitive: true }),
    textarea("achievements"),
    textarea("failures"),
    textarea("decisions"),
    textarea("nextActions"),
  ],
  times: ["periodStart", "periodEnd"],
  rules: [
    rule(
      "review.period_start_not_after_period_end",
      "periodStart <= periodEnd",
      ordered("periodStart", "periodEnd"),
    ),
    rule(
      "review.period_start_not_in_the_future",
      "periodStart is not in the future",
      notInTheFuture("periodStart"),
    ),
  ],
  features: [
    feature("REV-001", "daily review", "record", "V1.0"),
    feature("REV-002", "weekly", "record", "V1.0"),
    feature("REV-003", "monthly", "record", "V1.0"),
    feature("REV-004", "quarterly", "record", "V1.0"),
    feature("REV-005", "annual", "record", "V2.0"),
    feature("REV-006", "failure database", "record", "V2.0"),
    feature("REV-007", "achievement archive", "record", "V2.0"),
    feature("REV-008", "personal change log", "snapshot", "V3.0"),
  ],
};

import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { notInTheFuture, requiredWhen, rule } from "../rules.ts";

/** Questions to the owner, with the original answers. */
export const INTERVIEW: CatalogModule = {
  code: "interview",
  prefix: "INT",
  group: "Personal intelligence",
  completion: "partial",
  access: "GENERIC",
  fields: [
    textarea("question", { required: true }),
    text("theorySource"),
    number("priorityScore", { minimum: 0, maximum: 100 }),
    textarea("answer", { sensitive: true }),
    textarea("followUp"),
    textarea("proposal", { sensitive: true }),
    select("interviewStatus", [
      "CANDIDATE",
      "SCHEDULED",
      "ASKED",
      "ANSWERED",
      "CONFIRMED",
      "SKIPPED",
      "DO_NOT_ASK",
    ], { required: true }),
    datetime("askedAt"),
  ],
  times: ["askedAt"],
  rules: [
    rule(
      "interview.answered_requires_answer",
      "interviewStatus ANSWERED or CONFIRMED requires answer",
      requiredWhen("answer", { field: "interviewStatus", options: ["ANSWERED", "CONFIRMED"] }),
    ),
    rule(
      "interview.asked_at_not_in_the_future",
      "askedAt is not in the future",
      notInTheFuture("askedAt"),
    ),
  ],
  features: [
    feature("INT-001", "theory question bank", "record", "V1.0"),
    feature("INT-002", "question candidate generation", "generate", "V1.0"),
    feature("INT-003", "priority scoring", "record", "V1.0"),
    feature("INT-004", "active interview session", "record", "V1.0"),
    feature("INT-005", "contextual follow-up", "record", "V2.0"),
    feature("INT-006", "original answer preservation", "record", "V2.0"),
    feature("INT-007", "structured candidate confirmation", "verify", "V2.0"),
    feature("INT-008", "do-not-ask and frequency reduction", "record", "V3.0"),
  ],
};

import { comparisonKey } from "../../validate/text.ts";
import { boolean, datetime, feature, number, select, tags, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { ordered, rule } from "../rules.ts";

/** Conclusions about the owner, with the evidence for and against them. */
export const PERSONAL_MODEL: CatalogModule = {
  code: "personal-model",
  prefix: "PMD",
  group: "Personal intelligence",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("modelType", [
      "COGNITIVE_ENTRY",
      "BEHAVIOR_PATTERN",
      "CONCLUSION",
      "CONTRADICTION",
      "PERSONALITY",
      "BELIEF",
      "MEMORY_AUDIT",
      "DERIVED",
    ], { required: true }),
    textarea("statement", { required: true, sensitive: true }),
    number("confidence", { required: true, minimum: 0, maximum: 1 }),
    tags("evidenceIds"),
    tags("counterEvidenceIds"),
    datetime("validFrom"),
    datetime("validTo"),
    boolean("confirmed", { required: true }),
  ],
  times: ["validFrom", "validTo"],
  rules: [
    rule(
      "personal_model.valid_from_not_after_valid_to",
      "validFrom <= validTo when both are set",
      ordered("validFrom", "validTo"),
    ),
    rule(
      "personal_model.evidence_is_disjoint",
      "evidenceIds and counterEvidenceIds share no entry",
      {
        fields: ["evidenceIds", "counterEvidenceIds"],
        holds: (payload) => {
          const evidence = new Set(payload.list("evidenceIds")?.map(comparisonKey));
          const counterEvidence = payload.list("counterEvidenceIds") ?? [];
          return !counterEvidence.some((id) => evidence.has(comparisonKey(id)));
        },
      },
    ),
  ],
  features: [
    feature("PMD-001", "cognitive ledger", "record", "V1.0"),
    feature("PMD-002", "behavior pattern candidates", "analyze", "V1.0"),
    feature("PMD-003", "conclusion evidence chain", "record", "V1.0"),
    feature("PMD-004", "contradiction detection", "analyze", "V1.0"),
    feature("PMD-005", "personality candidate", "analyze", "V2.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
    feature("PMD-006", "belief change", "snapshot", "V2.0"),
    feature("PMD-007", "AI memory audit", "analyze", "V2.0"),
    feature("PMD-008", "derived model recompute", "analyze", "V3.0"),
  ],
};

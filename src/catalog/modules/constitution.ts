import { datetime, feature, number, select, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { requiredWhen, rule, strictlyOrdered } from "../rules.ts";

/** The principles, values, beliefs and definitions the owner lives by. */
export const CONSTITUTION: CatalogModule = {
  code: "constitution",
  prefix: "CON",
  group: "Self and identity",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("entryType", ["PRINCIPLE", "VALUE", "BELIEF", "DEFINITION", "BOUNDARY", "RULE"], {
      required: true,
    }),
    textarea("statement", { required: true }),
    number("priority", { required: true, minimum: 1, maximum: 100, integer: true }),
    textarea("definition"),
    textarea("evidence"),
    textarea("counterEvidence"),
    datetime("effectiveFrom"),
    datetime("supersededAt"),
  ],
  times: ["effectiveFrom", "supersededAt"],
  rules: [
    rule(
      "constitution.effective_from_before_superseded_at",
      "effectiveFrom < supersededAt when both are set",
      strictlyOrdered("effectiveFrom", "supersededAt"),
    ),
    rule(
      "constitution.definition_entry_requires_definition",
      "entryType DEFINITION requires definition",
      requiredWhen("definition", { field: "entryType", options: ["DEFINITION"] }),
    ),
  ],
  features: [
    feature("CON-001", "constitution clause", "record", "V1.0"),
    feature("CON-002", "value ranking", "rank", "V1.0"),
    feature("CON-003", "belief evidence ledger", "record", "V1.0"),
    feature("CON-004", "personal word definition", "record", "V1.0"),
    feature("CON-005", "principle revision history", "snapshot", "V2.0"),
    feature("CON-006", "behavior-principle conflict detection", "analyze", "V2.0"),
    feature("CON-007", "decision cites personal principle", "record", "V2.0"),
    feature("CON-008", "public constitution", "publish", "V3.0"),
  ],
};

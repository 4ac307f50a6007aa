import { isUlid } from "../../core/ids.ts";
import { datetime, feature, number, select, tags, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { listSatisfies, notInTheFuture, ordered, rule } from "../rules.ts";

/** Groups the owner belongs or belonged to. */
export const COMMUNITY: CatalogModule = {
  code: "community",
  prefix: "COM",
  group: "People and real-world relations",
  completion: "partial",
  access: "GENERIC",
  fields: [
    text("communityName", { required: true, sensitive: true }),
    select("communityType", [
      "FAMILY",
      "NEIGHBOURHOOD",
      "WORK",
      "STUDY",
      "FAITH",
      "SPORT",
      "HOBBY",
      "ONLINE",
      "OTHER",
    ], { required: true }),
    text("role"),
    number("importance", { minimum: 1, maximum: 5, integer: true }),
    datetime("joinedAt"),
    datetime("leftAt"),
    tags("memberIds"),
    textarea("notes", { sensitive: true }),
  ],
  times: ["joinedAt", "leftAt"],
  rules: [
    rule(
      "community.joined_at_not_after_left_at",
      "joinedAt <= leftAt when both are set",
      ordered("joinedAt", "leftAt"),
    ),
    rule(
      "community.joined_at_not_in_the_future",
      "joinedAt is not in the future",
      notInTheFuture("joinedAt"),
    ),
    rule(
      "community.member_ids_are_ulids",
      "memberIds are canonical ULIDs",
      listSatisfies("memberIds", (ids) => ids.every(isUlid)),
    ),
  ],
  features: [
    feature("COM-001", "community profile", "record", "V1.0"),
    feature("COM-002", "membership history", "record", "V1.0"),
    feature("COM-003", "roles in a community", "record", "V1.0"),
    feature("COM-004", "community events", "record", "V1.0"),
    feature("COM-005", "community norms", "record", "V2.0"),
    feature("COM-006", "contribution ledger", "record", "V2.0"),
    feature("COM-007", "community health radar", "analyze", "V3.0"),
    feature("COM-008", "community export", "export", "V3.0"),
  ],
};

import { feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { rule } from "../rules.ts";

/** Means such as time, energy and money, with their capacity. */
export const RESOURCE: CatalogModule = {
  code: "resource",
  prefix: "RES",
  group: "Self and identity",
  completion: "partial",
  access: {
    createCode: "RESOURCE_DEDICATED_ENDPOINT_REQUIRED",
    changeCode: "RESOURCE_DEDICATED_ENDPOINT_REQUIRED",
    readPermission: "resource.read",
  },
  fields: [
    select("resourceType", [
      "TIME",
      "ENERGY",
      "SKILL",
      "FINANCE",
      "NETWORK",
      "EQUIPMENT",
      "SPACE",
      "OTHER",
    ], { required: true }),
    text("name", { required: true }),
    number("amount", { minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }),
    text("unit"),
    number("capacity", { minimum: 0, maximum: 1_000_000_000_000 }),
    number("available", { minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 }),
    number("level", { minimum: 0, maximum: 100 }),
    textarea("notes"),
  ],
  times: [],
  rules: [
    rule("resource.available_not_above_capacity", "available <= capacity when both are set", {
      fields: ["available", "capacity"],
      holds: (payload) =>
        (payload.number("available") ?? -Infinity) <= (payload.number("capacity") ?? Infinity),
    }),
    rule("resource.level_is_a_percentage", "level is a percentage 0..100", {
      fields: ["level"],
      holds: (payload) => {
        const level = payload.number("level");
        return level === undefined || (level >= 0 && level <= 100);
      },
    }),
  ],
  features: [
    feature("RES-001", "personal resource account", "record", "V1.0"),
    feature("RES-002", "time capacity", "record", "V1.0"),
    feature("RES-003", "energy snapshot", "record", "V1.0"),
    feature("RES-004", "skill asset profile", "record", "V1.0"),
    feature("RES-005", "financial resource boundary", "record", "V2.0"),
    feature("RES-006", "network resource view", "record", "V2.0"),
    feature("RES-007", "resource overload warning", "analyze", "V2.0"),
    feature("RES-008", "resource snapshot export", "export", "V3.0"),
  ],
};

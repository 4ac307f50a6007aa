import { boolean, feature, number, select, tags, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { allowedOnlyWhen, rule, storageRule, textSatisfies } from "../rules.ts";

const GOVERNANCE = { dedicatedCode: "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED" } as const;

const HEXADECIMAL_COLOR = /^#[0-9a-f]{6}$/i;

/** Tags and categories for the other modules. */
export const TAXONOMY: CatalogModule = {
  code: "taxonomy",
  prefix: "TAX",
  group: "Experience and archive",
  completion: "partial",
  access: {
    createCode: "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
    changeCode: "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
    readPermission: "taxonomy.read",
  },
  fields: [
    text("name", { required: true, maximumLength: 64 }),
    select("kind", ["TAG", "CATEGORY"], { required: true }),
    text("parentId"),
    tags("aliases"),
    textarea("description"),
    text("color"),
    number("sortOrder", { minimum: 0, maximum: 1_000_000, integer: true }),
    boolean("active", { required: true }),
  ],
  times: [],
  rules: [
    storageRule(
      "taxonomy.names_are_unique",
      "names and aliases are unique per owner and kind after normalisation",
      ["name", "aliases", "kind"],
    ),
    rule(
      "taxonomy.parent_id_requires_category",
      "parentId only on CATEGORY",
      allowedOnlyWhen("parentId", "text", { field: "kind", options: ["CATEGORY"] }),
    ),
    rule(
      "taxonomy.color_is_hexadecimal",
      "color is #rrggbb",
      textSatisfies("color", (color) => HEXADECIMAL_COLOR.test(color)),
    ),
  ],
  features: [
    feature("TAX-001", "tag", "record", "V1.0", {
      dedicatedCode: "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("TAX-002", "category tree", "record", "V1.0", {
      dedicatedCode: "TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("TAX-003", "alias search", "record", "V1.0", {
      dedicatedCode: "TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED",
    }),
    feature("TAX-004", "tag rename with history", "record", "V2.0", GOVERNANCE),
    feature("TAX-005", "tag merge", "record", "V2.0", GOVERNANCE),
    feature("TAX-006", "deactivation and reactivation", "record", "V2.0", GOVERNANCE),
    feature("TAX-007", "usage statistics", "analyze", "V2.0", GOVERNANCE),
    feature("TAX-008", "taxonomy import and export", "export", "V3.0", GOVERNANCE),
  ],
};

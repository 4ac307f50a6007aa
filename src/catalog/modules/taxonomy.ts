import { boolean, feature, number, select, tags, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { allowedOnlyWhen, rule, storageRule, textSatisfies } from "../rules.ts";

const HEXADECIMAL_COLOR = /^#[0-9a-f]{6}$/i;

/** Tags and categories that terms of the other modules come from. */
export const TAXONOMY: CatalogModule = {
  code: "taxonomy",
  prefix: "TAX",
  group: "Experience and archive",
  completion: "partial",
  entry: "DEDICATED",
  fields: [
    text("name", { required: true }),
    select("kind", ["TAG", "CATEGORY"], { required: true }),
    text("parentId"),
    tags("aliases"),
    textarea("description"),
    text("color"),
    number("sortOrder", { minimum: 0, maximum: 1_000_000, integer: true }),
    boolean("active", { required: true }),
  ],
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
    feature("TAX-001", "tag", "record", "V1.0"),
    feature("TAX-002", "category tree", "record", "V1.0"),
    feature("TAX-003", "alias search", "record", "V1.0"),
    feature("TAX-004", "tag rename with history", "record", "V2.0"),
    feature("TAX-005", "tag merge", "record", "V2.0"),
    feature("TAX-006", "deactivation and reactivation", "record", "V2.0"),
    feature("TAX-007", "usage statistics", "analyze", "V2.0"),
    feature("TAX-008", "taxonomy import and export", "export", "V3.0"),
  ],
};

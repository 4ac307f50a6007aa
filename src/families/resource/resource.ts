import { textField } from "../../catalog/field_schema.ts";
import { RESOURCE } from "../../catalog/modules/resource.ts";
import { orNull } from "../../kit/columns.ts";
import {
  ARCHIVED,
  keptFields,
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
  type ShownRootOf,
} from "../../kit/declaration.ts";
import { id, longText, shortText } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";
import { figure } from "./figures.ts";

export const RESOURCE_TYPE = textField(RESOURCE, "resourceType");

export const RESOURCE_ROOT = {
  table: "resources",
  ledger: "resource_revisions",
  fixed: { resource_id: id },
  fields: {
    resource_type: shortText(RESOURCE_TYPE.json),
    name: longText,
    amount: figure,
    unit: orNull(shortText()),
    capacity: figure,
    available: figure,
    level: figure,
    notes: orNull(longText),
  },
  state: ARCHIVED,
} satisfies RootDeclaration;

export type ResourceRow = RootRowOf<typeof RESOURCE_ROOT>;

export type Resource = ShownRootOf<typeof RESOURCE_ROOT>;

export const RESOURCE_MEMBERS = rootMembers(RESOURCE_ROOT);

export const RESOURCE_SCHEMA: JsonSchema = component("Resource", RESOURCE_MEMBERS);

export const RESOURCE_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "ResourceRevision",
  RESOURCE_MEMBERS,
  ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"],
);

export const { show: showResource } = rootParts(RESOURCE_ROOT);

export const RESOURCE_FIELDS = keptFields(RESOURCE_ROOT.fields, RESOURCE);

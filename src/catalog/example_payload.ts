import type { JsonObject, JsonValue } from "../core/json.ts";
import type { CatalogModule, Field } from "./module.ts";

export function examplePayload(module: CatalogModule): JsonObject {
  const required = module.fields.filter((field) => field.required);
  const values = required.map((field) => [field.name, exampleValue(field)] as const);
  return { ...Object.fromEntries(values), ...module.example };
}

function exampleValue(field: Field): JsonValue {
  switch (field.edit) {
    case "text":
      return field.attachment === true ? "01JD5A0000000000000000F11E" : "A text";
    case "textarea":
      return "A text";
    case "select":
      return field.options?.[0] ?? "";
    case "number":
      return field.minimum ?? 0;
    case "datetime":
      return "2026-01-01T08:00:00+01:00[Europe/Berlin]";
    case "boolean":
      return false;
    case "tags":
    case "file":
      return [];
    case "json":
      return {};
  }
}

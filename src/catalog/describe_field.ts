import {
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  textPattern,
  ULID,
} from "../validate/json_schema.ts";
import { SENT_LOCAL_TIME } from "../validate/local_time.ts";
import { FIELD_LIMITS } from "./field_types.ts";
import type { CatalogModule, Field } from "./module.ts";

export function describePayload(module: CatalogModule): JsonSchema {
  const optional = module.fields.filter(({ required }) => !required).map(({ name }) => name);
  return {
    component: `RecordPayload_${module.code}`,
    ...objectOf(describeFields(module), optional),
  };
}

export function describePatch(module: CatalogModule): JsonSchema {
  return {
    component: `RecordPatch_${module.code}`,
    ...objectOf(describeFields(module), module.fields.map(({ name }) => name)),
  };
}

function describeFields(module: CatalogModule): Record<string, JsonSchema> {
  return Object.fromEntries(module.fields.map((field) => [field.name, describeField(field)]));
}

export function describeField(field: Field): JsonSchema {
  return { ...describeEdit(field), "x-sensitivity": field.sensitive ? "sensitive" : "normal" };
}

function describeEdit(field: Field): JsonSchema {
  switch (field.edit) {
    case "text":
      return describeText(field, FIELD_LIMITS.textLength, "control");
    case "textarea":
      return describeText(field, FIELD_LIMITS.textareaLength, "nul");
    case "select":
      return enumOf(field.options ?? []);
    case "number":
      return describeNumber(field);
    case "datetime":
      return SENT_LOCAL_TIME;
    case "boolean":
      return { type: "boolean" };
    case "tags":
      return { ...listOf(TAG), maxItems: FIELD_LIMITS.tags };
    case "file":
      return { ...listOf(ULID), maxItems: FIELD_LIMITS.files };
    case "json":
      return { type: ["object", "array"] };
  }
}

const TAG: JsonSchema = {
  type: "string",
  maxLength: FIELD_LIMITS.tagLength,
  ...textPattern({ blank: false, refused: "control" }),
};

function describeText(
  { required, maximumLength }: Field,
  limit: number,
  refused: "control" | "nul",
): JsonSchema {
  return {
    type: "string",
    maxLength: maximumLength ?? limit,
    ...textPattern({ blank: !required, refused }),
  };
}

function describeNumber({ integer, minimum, maximum }: Field): JsonSchema {
  return {
    type: integer === true ? "integer" : "number",
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

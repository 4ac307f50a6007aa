import type { Catalog } from "../catalog/catalog.ts";
import { describePatch, describePayload } from "../catalog/describe_field.ts";
import { examplePayload } from "../catalog/example_payload.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { BodyContract } from "../http/contract.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import {
  describeObject,
  distinctStrings,
  type InferObject,
  jsonObject,
  type ObjectSchema,
  optional,
  revision,
} from "../validate/schema.ts";
import { RECORD_SUMMARY, RECORD_TITLE } from "./record.ts";

export const CREATE_BODY = {
  title: RECORD_TITLE,
  summary: optional(RECORD_SUMMARY),
  payload: jsonObject,
};
export const MODIFY_BODY = {
  title: optional(RECORD_TITLE),
  summary: optional(RECORD_SUMMARY),
  payload: optional(jsonObject),
  payloadRemove: optional(distinctStrings(64, 128)),
  expectedRevision: optional(revision),
};
export const MOVE_BODY = { expectedRevision: optional(revision) };

export type CreateBody = InferObject<typeof CREATE_BODY>;
export type ModifyBody = InferObject<typeof MODIFY_BODY>;

/** Each module with generic writes has its own body. */
export function describeCreation(catalog: Catalog): BodyContract {
  const modules = genericModules(catalog);
  const examples = modules.map((module) =>
    [module.code, { title: "A title", payload: examplePayload(module) }] as const
  );
  return {
    schema: {
      anyOf: modules.map((module) =>
        bodyWith(`CreateRecord_${module.code}`, module, CREATE_BODY, describePayload(module))
      ),
    },
    examples: Object.fromEntries(examples),
  };
}

/** Each module with generic writes has its own body. */
export function describeModification(catalog: Catalog): BodyContract {
  return {
    schema: {
      anyOf: genericModules(catalog).map((module) =>
        bodyWith(`ModifyRecord_${module.code}`, module, MODIFY_BODY, describePatch(module))
      ),
    },
    examples: { example: { title: "Another title" } },
  };
}

function genericModules({ modules }: Catalog): readonly CatalogModule[] {
  return modules.filter(({ access: entry }) => entry === "GENERIC");
}

function bodyWith(
  component: string,
  module: CatalogModule,
  shape: ObjectSchema,
  payload: JsonSchema,
): JsonSchema {
  const body = describeObject(shape);
  return {
    component,
    title: module.code,
    description: `If {moduleCode} is ${module.code}.`,
    ...body,
    properties: { ...body.properties, payload },
  };
}

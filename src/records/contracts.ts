/** The contracts of the Record Kernel's routes. Bodies and filters are the catalog's. */

import type { Catalog } from "../catalog/catalog.ts";
import { describePatch, describePayload } from "../catalog/describe_field.ts";
import { examplePayload } from "../catalog/example_payload.ts";
import type { CatalogModule, DedicatedEntry } from "../catalog/module.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { type BodyContract, bodyOf, type Contract } from "../http/contract.ts";
import { PAGE_QUERY, pageOf } from "../http/page.ts";
import { type JsonSchema, TEXT } from "../validate/json_schema.ts";
import { describeObject, optional, revision } from "../validate/schema.ts";
import { CREATE_BODY, FEATURE_BODY, MODIFY_BODY, MOVE_BODY } from "./commands.ts";
import { EXECUTION_SCHEMA } from "./execution.ts";
import { REVISION_SCHEMA } from "./history.ts";
import { LIST_QUERY } from "./list_query.ts";
import { RECORD_SCHEMA } from "./record.ts";

/** The query of the detail route. */
export const DETAIL_QUERY = { revision: optional(revision) };

function changeErrors(catalog: Catalog): readonly ErrorCode[] {
  return [
    "RECORD_MODULE_NOT_FOUND",
    ...dedicatedEntries(catalog).map(({ changeCode }) => changeCode),
    "SYSTEM_MAINTENANCE",
    "RECORD_NOT_FOUND",
    "REVISION_CONFLICT",
  ];
}

function dedicatedEntries(catalog: Catalog): readonly DedicatedEntry[] {
  return catalog.modules.flatMap(({ entry }) => entry === "GENERIC" ? [] : entry);
}

const READ_ERRORS: readonly ErrorCode[] = ["RECORD_MODULE_NOT_FOUND", "RECORD_NOT_FOUND"];

const ONE_RECORD = { 200: { data: RECORD_SCHEMA } } as const;

/** The contracts that are the same for every catalog. */
export const RECORD_CONTRACTS = {
  list: {
    summary: "List the records of a module",
    query: LIST_QUERY,
    filter: describeFilter(),
    responses: { 200: { data: pageOf(RECORD_SCHEMA) } },
    errors: ["RECORD_MODULE_NOT_FOUND"],
  },
  detail: {
    summary: "Read a record as it is, or exactly as it was at a revision",
    query: DETAIL_QUERY,
    headers: ["If-None-Match"],
    responses: { 200: { data: RECORD_SCHEMA, headers: ["ETag"] }, 304: { headers: ["ETag"] } },
    errors: READ_ERRORS,
  },
  revisions: {
    summary: "List the revisions of a record, newest first",
    query: PAGE_QUERY,
    responses: { 200: { data: pageOf(REVISION_SCHEMA) } },
    errors: READ_ERRORS,
  },
  executions: {
    summary: "List the executions that concern a record, newest first",
    query: PAGE_QUERY,
    responses: { 200: { data: pageOf(EXECUTION_SCHEMA) } },
    errors: READ_ERRORS,
  },
} as const satisfies Record<string, Contract>;

/** An archival, or its undoing. */
export function moveContract(catalog: Catalog, summary: string): Contract {
  return {
    summary,
    body: bodyOf(MOVE_BODY, {}),
    responses: ONE_RECORD,
    errors: changeErrors(catalog),
  };
}

/** The execution of a feature. */
export function featureContract(catalog: Catalog): Contract {
  const codes = catalog.modules.flatMap(({ features }) =>
    features.flatMap(({ dedicatedCode }) => dedicatedCode ?? [])
  );
  return {
    summary: "Execute a feature on a record",
    body: bodyOf(FEATURE_BODY, {}),
    responses: { 200: { data: EXECUTION_SCHEMA } },
    errors: [
      "FEATURE_NOT_FOUND",
      "FEATURE_MODULE_MISMATCH",
      ...codes,
      "FEATURE_NOT_IMPLEMENTED",
      ...changeErrors(catalog),
    ],
  };
}

/** A creation: one body for each module with generic writes. */
export function createContract(catalog: Catalog): Contract {
  return {
    summary: "Create a record of a module",
    body: describeCreations(catalog.modules.filter(isGeneric)),
    responses: { 201: { data: RECORD_SCHEMA } },
    errors: [
      "RECORD_MODULE_NOT_FOUND",
      ...dedicatedEntries(catalog).map(({ createCode }) => createCode),
      "SYSTEM_MAINTENANCE",
    ],
  };
}

/** A modification: one body for each module with generic writes. */
export function modifyContract(catalog: Catalog): Contract {
  const modules = catalog.modules.filter(isGeneric);
  return {
    summary: "Modify a record: set fields, remove fields, or both",
    body: {
      schema: {
        anyOf: modules.map((module) =>
          bodyWith(`ModifyRecord_${module.code}`, module, MODIFY_BODY, describePatch(module))
        ),
      },
      examples: { example: { title: "Another title" } },
    },
    responses: ONE_RECORD,
    errors: changeErrors(catalog),
  };
}

function describeCreations(modules: readonly CatalogModule[]): BodyContract {
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

/** The schema of the body, with the payload of one module. */
function bodyWith(
  component: string,
  module: CatalogModule,
  shape: typeof CREATE_BODY | typeof MODIFY_BODY,
  payload: JsonSchema,
): JsonSchema {
  const body = describeObject(shape);
  return {
    component,
    title: module.code,
    description: `Where {moduleCode} is ${module.code}.`,
    ...body,
    properties: { ...body.properties, payload },
  };
}

function isGeneric({ entry }: CatalogModule): boolean {
  return entry === "GENERIC";
}

function describeFilter(): JsonSchema {
  return {
    type: "object",
    description:
      "Up to ten conditions on normal fields of the module: `filter[field]=value` for equality, " +
      "`filter[field][gte]` and `filter[field][lte]` for the range of a number or datetime field.",
    additionalProperties: {
      anyOf: [TEXT, {
        type: "object",
        properties: { gte: TEXT, lte: TEXT },
        additionalProperties: false,
      }],
    },
  };
}

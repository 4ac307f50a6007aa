import { sha256Hex } from "../core/digest.ts";
import { namesEntityTag } from "../http/entity_tag.ts";
import { chooseForm, gzippedData } from "../http/gzip.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { Catalog } from "./catalog.ts";
import {
  type CatalogModule,
  EDIT_TYPES,
  type Feature,
  type Field,
  type Measure,
  type Rule,
} from "./module.ts";

const COMPLETION = enumOf(["partial", "implemented_local"]);

const FIELD_SCHEMA = component<Field>("CatalogField", {
  name: TEXT,
  edit: enumOf(EDIT_TYPES),
  required: { type: "boolean" },
  sensitive: { type: "boolean" },
  options: listOf(TEXT),
  minimum: { type: "number" },
  maximum: { type: "number" },
  integer: { type: "boolean" },
  maximumLength: { type: "integer" },
  distinct: { type: "boolean" },
  attachment: { type: "boolean" },
}, ["options", "minimum", "maximum", "integer", "maximumLength", "distinct", "attachment"]);

const RULE_SCHEMA = component<Pick<Rule, "name" | "statement" | "fields">>("CatalogRule", {
  name: TEXT,
  statement: TEXT,
  fields: listOf(TEXT),
});

const FEATURE_SCHEMA = component<Omit<Feature, "dedicatedCode">>("CatalogFeature", {
  id: TEXT,
  title: TEXT,
  strategy: TEXT,
  plannedVersion: enumOf(["V1.0", "V2.0", "V3.0"]),
  status: COMPLETION,
  annotations: listOf(enumOf(["EXTERNAL_BLOCKER", "HISTORICAL_PROVIDER"])),
});

const MEASURE_SCHEMA = component<Measure>("CatalogMeasure", {
  field: TEXT,
  kind: TEXT,
  unit: TEXT,
});

const MODULE_SCHEMA = component<ReturnType<typeof describeModule>>("CatalogModule", {
  code: TEXT,
  prefix: TEXT,
  group: TEXT,
  completion: COMPLETION,
  entry: enumOf(["GENERIC", "DEDICATED"]),
  fields: listOf(FIELD_SCHEMA),
  rules: listOf(RULE_SCHEMA),
  features: listOf(FEATURE_SCHEMA),
  times: listOf(TEXT),
  measure: nullable(MEASURE_SCHEMA),
});

const CATALOG_SCHEMA: JsonSchema = objectOf({ modules: listOf(MODULE_SCHEMA) });

/** Built once. */
export function createCatalogEndpoint(catalog: Catalog): Endpoint {
  const description = { modules: catalog.modules.map(describeModule) };
  const tag = sha256Hex(JSON.stringify(description)).slice(0, 32);
  return endpoint({
    contract: {
      summary: "Describe every module: its fields, rules and features",
      headers: ["If-None-Match"],
      responses: {
        200: { data: CATALOG_SCHEMA, headers: ["ETag"] },
        304: { headers: ["ETag"] },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle({ request: { headers: sent }, requestId }) {
      const { isCompressed, etag } = chooseForm(sent, tag);
      const headers = {
        ETag: etag,
        "Cache-Control": "private, no-cache",
        Vary: "Accept-Encoding",
      };
      if (namesEntityTag(sent.get("If-None-Match"), etag)) {
        return Promise.resolve({ status: 304, headers });
      }
      return Promise.resolve(
        isCompressed ? gzippedData(description, requestId, headers) : ok(description, headers),
      );
    },
  });
}

function describeModule(module: CatalogModule) {
  const { code, prefix, group, completion, access: entry, fields, rules, features } = module;
  const { times, measure = null } = module;
  return {
    code,
    prefix,
    group,
    completion,
    entry: entry === "GENERIC" ? entry : "DEDICATED",
    fields,
    rules: rules.map(({ name, statement, fields }) => ({ name, statement, fields })),
    features: features.map(({ dedicatedCode: _, ...feature }) => feature),
    times,
    measure,
  };
}

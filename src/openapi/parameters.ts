import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import { requestHeadersOf } from "../http/contract.ts";
import type { IdempotencyRule, Route } from "../http/route.ts";
import { enumOf, type JsonSchema, REVISION, ULID } from "../validate/json_schema.ts";
import type { Components } from "./components.ts";
import { requestHeader } from "./headers.ts";

export function describeParameters(
  route: Route,
  catalog: Catalog,
  components: Components,
): JsonObject[] {
  const { contract } = route.endpoint;
  const path = pathNames(route.path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: components.write(pathSchema(name, route.path, catalog)),
  }));
  const query = Object.entries(contract.query ?? {}).map(([name, { json, optional }]) => ({
    name,
    in: "query",
    required: optional !== true,
    // A list is one text, separated by commas.
    ...(json.type === "array" && { explode: false }),
    schema: components.write(json),
  }));
  const objects = (["filter", "time"] as const).flatMap((name) =>
    contract[name] === undefined ? [] : [{
      name,
      in: "query",
      style: "deepObject",
      explode: true,
      schema: components.write(contract[name]),
    }]
  );
  const headers = [...requestHeadersOf(contract), "X-Request-Id"] as const;
  const key = route.access === "public" ? [] : keyParameter(route.idempotency);
  return [...path, ...query, ...objects, ...key, ...headers.map(requestHeader)];
}

export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

function pathNames(path: string): string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name ?? "");
}

function pathSchema(name: string, path: string, catalog: Catalog): JsonSchema {
  switch (name) {
    case "moduleCode":
      return enumOf(catalog.modules.map(({ code }) => code));
    case "featureId":
      return { type: "string", pattern: "^[A-Z]{3}-[0-9]{3}$" };
    case "revision":
      return REVISION;
    case "slug":
      return { type: "string", pattern: "^[a-z0-9-]{3,64}$" };
    case "secret":
      return {
        type: "string",
        pattern: `^prs_c_[A-Za-z0-9_-]{43}${path.endsWith("/:secret") ? "\\.ics" : ""}$`,
      };
    case "name":
      return { type: "string", pattern: "\\.ics$" };
    default:
      return ULID;
  }
}

function keyParameter(rule: IdempotencyRule): JsonObject[] {
  switch (rule) {
    case "none":
      return [];
    case "honoured":
      return [requestHeader("Idempotency-Key")];
    case "required":
      return [requestHeader("Required-Idempotency-Key")];
  }
}

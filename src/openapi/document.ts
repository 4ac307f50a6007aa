/**
 * Built from the route table, the schemas, the error table and the catalog, which also serve the
 * requests.
 */

import project from "../../deno.json" with { type: "json" };
import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import type { Route } from "../http/route.ts";
import { Components } from "./components.ts";
import { headerComponents } from "./headers.ts";
import { describeOperation, tagOf } from "./operation.ts";
import { pathTemplate } from "./parameters.ts";
import { securitySchemes } from "./security.ts";

const DESCRIPTION = [
  "Stores personal records. Responses are `{ data, meta }`, failures are `{ error }`.",
  "Times are in UTC; `localTimes` has those that were stated by a clock, as the clock shows them.",
  "Every GET also accepts HEAD. `x-sensitivity` in a schema marks values that never appear in URLs;",
  "`x-permission` in an operation is the permission it requires in addition to `platform.operate`.",
].join(" ");

/**
 * @param origin Determines the cookie's name.
 * @throws {Error} If a route contradicts itself, or two schemas share a name.
 */
export function createDocument(
  routes: readonly Route[],
  catalog: Catalog,
  origin: string,
): JsonObject {
  const components = new Components();
  const paths = describePaths(routes, catalog, components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Personal Records Service",
      version: project.version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: describeTag(name) })),
    paths,
    components: {
      securitySchemes: securitySchemes(origin),
      ...headerComponents(routes),
      schemas: components.schemas(),
    },
  };
}

function describePaths(
  routes: readonly Route[],
  catalog: Catalog,
  components: Components,
): JsonObject {
  const byPath = Map.groupBy(routes, ({ path }) => pathTemplate(path));
  return Object.fromEntries(
    Array.from(byPath, ([path, each]) => [
      path,
      Object.fromEntries(
        each.map((route) =>
          [route.method.toLowerCase(), describeOperation(route, catalog, components)] as const
        ),
      ),
    ]),
  );
}

function describeTag(name: string): string {
  if (name === "operation") return "For the operator of the service.";
  if (name === "oauth") return "The sign-in of assistants by OAuth.";
  if (name === "v1") return "The rest of version 1: reads, and writes that are closed.";
  return `Everything under \`/api/v2/${name}\`.`;
}

import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogModule } from "./module.ts";

/** The catalog route: what a client needs to draw its forms. Built once, served as it is. */
export function createCatalogEndpoint(catalog: Catalog): Endpoint {
  const description = { modules: catalog.modules.map(describeModule) };
  return endpoint({
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    answer: () => Promise.resolve(ok(description)),
  });
}

function describeModule(module: CatalogModule): Record<string, unknown> {
  const { code, prefix, group, completion, entry, fields, rules, features } = module;
  return {
    code,
    prefix,
    group,
    completion,
    entry,
    fields,
    rules: rules.map(({ name, statement, fields }) => ({ name, statement, fields })),
    features,
  };
}

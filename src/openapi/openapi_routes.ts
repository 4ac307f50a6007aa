import type { JsonObject } from "../core/json.ts";
import type { PublicEndpoint } from "../http/route.ts";
import { JSON_HEADERS } from "../http/response.ts";
import { ANY_OBJECT } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";

/** Built at the first request, because the route is itself in the route table. */
export function createDocumentEndpoint(document: () => JsonObject): PublicEndpoint {
  let text: string | undefined;
  return {
    contract: {
      summary: "Describe the whole service, as OpenAPI 3.1",
      responses: { 200: { content: { mediaType: "application/json", schema: ANY_OBJECT } } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle() {
      text ??= JSON.stringify(document());
      return Promise.resolve({ status: 200, body: text, headers: JSON_HEADERS });
    },
  };
}

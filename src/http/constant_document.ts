import type { JsonObject } from "../core/json.ts";
import { ANY_OBJECT } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { PublicEndpoint } from "./route.ts";

/** The endpoint of a JSON document without the envelope, which is the same for everyone. */
export function constantDocument(summary: string, document: JsonObject): PublicEndpoint {
  const mediaType = "application/json";
  const body = JSON.stringify(document);
  return {
    contract: {
      summary,
      responses: { 200: { content: { mediaType, schema: ANY_OBJECT } } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle: () => Promise.resolve({ status: 200, body, headers: { "Content-Type": mediaType } }),
  };
}

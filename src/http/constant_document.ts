import type { JsonObject } from "../core/json.ts";
import { ANY_OBJECT } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { bareJson } from "./reply.ts";
import type { PublicEndpoint } from "./route.ts";

/** The endpoint of a JSON document without the envelope, which is the same for everyone. */
export function constantDocument(summary: string, document: JsonObject): PublicEndpoint {
  const reply = bareJson(200, document);
  return {
    contract: {
      summary,
      responses: { 200: { content: { mediaType: "application/json", schema: ANY_OBJECT } } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle: () => Promise.resolve(reply),
  };
}

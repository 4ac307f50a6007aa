import { ServiceError } from "../errors/service_error.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { CountServices } from "./insight_services.ts";

export function createSeriesEndpoint(_services: CountServices): Endpoint {
  return endpoint({
    contract: { summary: "Series", responses: { 200: { data: {} } }, errors: [] },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle() {
      throw new ServiceError("RECORD_NOT_FOUND");
    },
  });
}

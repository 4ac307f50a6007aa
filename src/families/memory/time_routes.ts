/** MEM-006: the stated time of a memory. */

import { changeEndpoint } from "../../kit/write_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { decideTime } from "./memory_rules.ts";
import { TIME_BODY } from "./memory_schema.ts";
import { decideTimeColumns } from "./stated_time.ts";
import { MEMORIES } from "./memory_store.ts";

export function createTimeEndpoints(
  services: FamilyServices,
): Readonly<Record<"setTime", Endpoint>> {
  return {
    setTime: changeEndpoint(services, MEMORIES, {
      summary: "State when a memory happened",
      body: TIME_BODY,
      example: {
        expectedRevision: 1,
        timePrecision: "YEAR",
        occurredAt: "1999-07-01T12:00:00+02:00",
      },
      check: decideTimeColumns,
      decide: decideTime,
    }),
  };
}

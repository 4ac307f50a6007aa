/**
 * A family for tests only: gardens, their beds, each bed's waterings, and an almanac per owner. It
 * uses only the family kit, so it proves the kit for every family. The tutorial in
 * `src/kit/README.md` uses its files.
 */

import { loadRoleMatrix } from "../../../src/access/authorization.ts";
import { createSessionAuthenticator } from "../../../src/access/sessions.ts";
import { createTokenAuthenticator } from "../../../src/access/tokens.ts";
import type { App } from "../../../src/app.ts";
import { CommandRunner } from "../../../src/command/runner.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Database } from "../../../src/database/database.ts";
import type { FamilyServices } from "../../../src/kit/write.ts";
import { AccountPlaces } from "../../../src/http/account_places.ts";
import { CrossOrigin } from "../../../src/http/cross_origin.ts";
import { createFingerprinter } from "../../../src/http/fingerprint.ts";
import { InFlightRequests } from "../../../src/http/in_flight_requests.ts";
import { KnownAddresses } from "../../../src/http/known_addresses.ts";
import { KnownCallers } from "../../../src/http/known_identities.ts";
import { createPipeline } from "../../../src/http/pipeline.ts";
import { createRateLimits } from "../../../src/http/rate_limit.ts";
import type { Endpoint, Method, ProtectedRoute } from "../../../src/http/route.ts";
import { Metrics } from "../../../src/operator/metrics/metrics.ts";
import { asDocumented } from "../../support/documented.ts";
import { ORIGIN, type World } from "../../support/world.ts";
import {
  createAlmanacEndpoints,
  createBedEndpoints,
  createGardenEndpoints,
  createWateringEndpoints,
} from "./garden_routes.ts";

export const GARDEN_TABLES = await Deno.readTextFile(new URL("garden.sql", import.meta.url));

function createRoutes(services: FamilyServices): readonly ProtectedRoute[] {
  const gardens = createGardenEndpoints(services);
  const beds = createBedEndpoints(services);
  const waterings = createWateringEndpoints(services);
  const almanac = createAlmanacEndpoints(services);
  const base = "/api/v2/gardens";
  const garden = `${base}/:gardenId`;
  const bed = `${garden}/beds/:bedId`;
  return [
    route("POST", base, "garden.create", gardens.create),
    route("GET", garden, "garden.detail", gardens.detail),
    route("PATCH", garden, "garden.rename", gardens.rename),
    route("POST", `${garden}/archive`, "garden.archive", gardens.archive),
    route("POST", `${garden}/restore`, "garden.restore", gardens.restore),
    route("POST", `${garden}/beds`, "bed.create", beds.create),
    route("GET", bed, "bed.detail", beds.detail),
    route("PATCH", bed, "bed.replant", beds.replant),
    route("GET", `${bed}/revisions`, "bed.revisions", beds.revisions),
    route("POST", `${bed}/waterings`, "bed.water", waterings.append),
    route("GET", `${bed}/waterings`, "bed.waterings", waterings.list),
    route("GET", `${bed}/waterings/:wateringId`, "bed.watering", waterings.detail),
    route("POST", "/api/v2/almanac", "almanac.create", almanac.create),
    route("GET", "/api/v2/almanac", "almanac.detail", almanac.detail),
  ];
}
function route(
  method: Method,
  path: string,
  operation: string,
  endpoint: Endpoint,
): ProtectedRoute {
  const idempotency = method === "GET" ? "none" : "honoured";
  const permission = method === "GET" ? "record.read" : "record.write";
  const rules = { access: "credential", permission, module: null, idempotency } as const;
  return { method, path, ...rules, operation, endpoint };
}

/** This family alone, over a world's database or a replacement. */
export async function gardenApp(
  { now: clock, ...world }: World,
  database: Database = world.database,
): Promise<Pick<App, "fetch">> {
  const roles = await loadRoleMatrix(database);
  const routes = createRoutes({ database, commands: new CommandRunner(database) });
  const fetch = createPipeline(routes, {
    authenticators: {
      session: createSessionAuthenticator(database, roles, { idleDays: 14, absoluteDays: 30 }),
      token: createTokenAuthenticator(database, roles),
      assistant: () => Promise.resolve(null),
    },
    clock,
    log: createLog("silent"),
    origin: ORIGIN,
    trustedProxies: 0,
    inFlight: new InFlightRequests(10_000),
    fingerprint: createFingerprinter(new TextEncoder().encode("a secret of the gardens")),
    bodies: new AccountPlaces(10_000),
    knownAddresses: new KnownAddresses(),
    knownIdentities: new KnownCallers(),
    limits: createRateLimits(0, 0),
    crossOrigin: new CrossOrigin([]),
    isServedHost: () => true,
    signInOrigin: null,
    meter: new Metrics(),
    noteDisclosure: () => Promise.resolve(),
  });
  return asDocumented({
    routes,
    fetch,
    drain: () => Promise.resolve(),
    resumeImports: () => {},
    listenerFailed: () => {},
  });
}

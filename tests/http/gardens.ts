/**
 * A family that exists only in tests: gardens, the beds in them, what was poured on each bed, and one
 * almanac an owner. It uses the family kit alone, so what holds for it holds for every family.
 */

import { loadRoleMatrix } from "../../src/access/authorization.ts";
import { createSessionAuthenticator } from "../../src/access/sessions.ts";
import { createTokenAuthenticator } from "../../src/access/tokens.ts";
import type { App } from "../../src/app.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import { newId } from "../../src/core/ids.ts";
import { createLog } from "../../src/core/log.ts";
import type { Database } from "../../src/database/database.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createBelowEndpoint,
  createEndpoint,
  detailEndpoint,
} from "../../src/families/kit/write_routes.ts";
import { entryEndpoints } from "../../src/families/kit/entry.ts";
import { listBelowEndpoint } from "../../src/families/kit/list_routes.ts";
import { firstRevision, nextRevision } from "../../src/families/kit/root.ts";
import type { FamilyServices } from "../../src/families/kit/write.ts";
import { AccountPlaces } from "../../src/http/account_places.ts";
import { CrossOrigin } from "../../src/http/cross_origin.ts";
import { createFingerprinter } from "../../src/http/fingerprint.ts";
import { InFlightRequests } from "../../src/http/in_flight_requests.ts";
import { KnownAddresses } from "../../src/http/known_addresses.ts";
import { KnownCallers } from "../../src/http/known_identities.ts";
import { createPipeline } from "../../src/http/pipeline.ts";
import { createRateLimits } from "../../src/http/rate_limit.ts";
import type { Endpoint, Method, ProtectedRoute } from "../../src/http/route.ts";
import { Metrics } from "../../src/operator/metrics/metrics.ts";
import { integer, optional, revision, string } from "../../src/validate/schema.ts";
import { asDocumented } from "../support/documented.ts";
import { ORIGIN, type World } from "../support/world.ts";
import { ALMANACS, BED_REVISIONS, BEDS, GARDENS, WATERINGS } from "./garden_store.ts";

const text = string({ maximum: 100 });
const GARDEN = { name: text };
const BED = { crop: text, plants: integer(0, 1000) };
const REPLANTING = {
  expectedRevision: revision,
  crop: optional(text),
  plants: optional(BED.plants),
};

function createRoutes(services: FamilyServices): readonly ProtectedRoute[] {
  const base = "/api/v2/gardens";
  const garden = `${base}/:gardenId`;
  const bed = `${garden}/beds/:bedId`;
  const { archive, restore } = archiveEndpoints(services, GARDENS, { noun: "garden" });
  const watering = entryEndpoints(services, BEDS, WATERINGS, {
    append: {
      summary: "Water a bed",
      body: { litres: integer(1, 100) },
      example: { litres: 5 },
      decide({ bed_id, revision }, { litres }, { call: { caller: identity, now } }) {
        const row = { watering_id: newId(now), bed_id, bed_revision: revision, litres };
        return {
          subjectId: row.watering_id,
          revision,
          result: WATERINGS.show(row, identity, now),
          statement: (sql, ledger) =>
            sql`
              with ${ledger.claim},
              watering as (
                insert into waterings
                select owner_id, ${row.watering_id}, ${bed_id}, ${revision}::integer,
                       ${litres}::integer, requested_at
                  from claim where verdict = 'GO'
              ),
              ${ledger.ctes}
              select verdict, envelope from claim`,
        };
      },
    },
    list: { summary: "List the waterings of a bed" },
    detail: { summary: "Read a watering" },
  });
  return [
    route("POST", base, "garden.create", createGarden(services)),
    route("GET", garden, "garden.detail", detailEndpoint(services, GARDENS, DETAIL)),
    route("PATCH", garden, "garden.rename", renameGarden(services)),
    route("POST", `${garden}/archive`, "garden.archive", archive),
    route("POST", `${garden}/restore`, "garden.restore", restore),
    route("POST", `${garden}/beds`, "bed.create", createBed(services)),
    route("GET", bed, "bed.detail", detailEndpoint(services, BEDS, DETAIL)),
    route("PATCH", bed, "bed.replant", replantBed(services)),
    route(
      "GET",
      `${bed}/revisions`,
      "bed.revisions",
      listBelowEndpoint(services, BEDS, BED_REVISIONS, { summary: "List the revisions of a bed" }),
    ),
    route("POST", `${bed}/waterings`, "bed.water", watering.append),
    route("GET", `${bed}/waterings`, "bed.waterings", watering.list),
    route("GET", `${bed}/waterings/:wateringId`, "bed.watering", watering.detail),
    route("POST", "/api/v2/almanac", "almanac.create", createAlmanac(services)),
    route("GET", "/api/v2/almanac", "almanac.detail", detailEndpoint(services, ALMANACS, DETAIL)),
  ];
}

/** What a garden has room for, which only a decision behind its lock can keep. */
export const MAX_BEDS = 3;

const DETAIL = { summary: "Read it", revisions: true };

function createGarden(services: FamilyServices): Endpoint {
  return createEndpoint(services, GARDENS, {
    summary: "Lay out a garden",
    body: GARDEN,
    example: { name: "The garden behind the house" },
    decide: ({ name }, now) => ({
      garden_id: newId(now),
      ...firstRevision(now),
      archived_at: null,
      name,
    }),
  });
}

function renameGarden(services: FamilyServices): Endpoint {
  return changeEndpoint(services, GARDENS, {
    summary: "Rename a garden",
    body: { ...GARDEN, expectedRevision: optional(revision) },
    example: { name: "The garden" },
    decide: (garden, { name }, now) => nextRevision(garden, "RENAMED", now, { name }),
  });
}

function createBed(services: FamilyServices): Endpoint {
  return createBelowEndpoint(services, GARDENS, BEDS, {
    summary: "Dig a bed",
    body: BED,
    example: { crop: "Beans", plants: 3 },
    errors: ["MEMORY_STATE_CONFLICT"],
    related: async (sql, { garden_id }, _body, { caller: identity }) =>
      (await sql`
        select 1 from beds
         where owner_id = ${identity.account.accountId} and garden_id = ${garden_id}`).length,
    decide({ garden_id, archived_at }, body, now, { related: beds }) {
      if (archived_at !== null || beds >= MAX_BEDS) {
        throw new ServiceError("MEMORY_STATE_CONFLICT");
      }
      return { garden_id, bed_id: newId(now), ...firstRevision(now), ...body };
    },
  });
}

function replantBed(services: FamilyServices): Endpoint {
  return changeEndpoint(services, BEDS, {
    summary: "Replant a bed",
    body: REPLANTING,
    example: { expectedRevision: 1, plants: 4 },
    decide: (bed, { expectedRevision: _, ...patch }, now) =>
      nextRevision(bed, "REPLANTED", now, patch),
  });
}

function createAlmanac(services: FamilyServices): Endpoint {
  return createEndpoint(services, ALMANACS, {
    summary: "Begin the almanac",
    body: { motto: text },
    example: { motto: "Sow late" },
    errors: ["MEMORY_STATE_CONFLICT"],
    options: () => ({ constraints: { almanacs_pkey: "MEMORY_STATE_CONFLICT" } }),
    decide: ({ motto }, now) => ({ almanac_id: newId(now), ...firstRevision(now), motto }),
  });
}

function route(
  method: Method,
  path: string,
  operation: string,
  endpoint: Endpoint,
): ProtectedRoute {
  const idempotency = method === "GET" ? "none" : "honoured";
  const permission = method === "GET" ? "record.read" : "record.write";
  return { method, path, access: "credential", permission, operation, idempotency, endpoint };
}

/** The application of the family alone, over a world's database or one that stands for it. */
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
    meter: new Metrics(),
    noteDisclosure: () => Promise.resolve(),
  });
  return asDocumented({ routes, fetch, drain: () => Promise.resolve(), listenerFailed: () => {} });
}

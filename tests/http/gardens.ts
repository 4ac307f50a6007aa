/**
 * A family that exists only in tests: gardens, the beds in them, what was poured on each bed, and one
 * almanac an owner. It uses the family kit alone, so what holds for it holds for every family.
 */

import { loadRoleMatrix } from "../../src/access/authorization.ts";
import { createSessionAuthenticator } from "../../src/access/sessions.ts";
import { createTokenAuthenticator } from "../../src/access/tokens.ts";
import type { App } from "../../src/app.ts";
import type { ClaimRow } from "../../src/command/ledger.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import { newId } from "../../src/core/ids.ts";
import { createLog } from "../../src/core/log.ts";
import type { Database } from "../../src/database/database.ts";
import type { Query, Sql } from "../../src/database/sql.ts";
import { readRows } from "../../src/database/walk.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createBelowEndpoint,
  createEndpoint,
  detailEndpoint,
} from "../../src/family/endpoints.ts";
import { type Entry, entryEndpoints } from "../../src/family/entry.ts";
import { listBelowEndpoint, revisionsOf } from "../../src/family/lists.ts";
import {
  type ArchivableRow,
  type BaseChange,
  firstRevision,
  nextRevision,
  type RootRow,
} from "../../src/family/root.ts";
import type { FamilyServices, Root } from "../../src/family/write.ts";
import { AccountPlaces } from "../../src/http/account_places.ts";
import { CrossOrigin } from "../../src/http/cross_origin.ts";
import { createFingerprinter } from "../../src/http/fingerprint.ts";
import { InFlightRequests } from "../../src/http/in_flight_requests.ts";
import { KnownAddresses } from "../../src/http/known_addresses.ts";
import { KnownIdentities } from "../../src/http/known_identities.ts";
import { createPipeline } from "../../src/http/pipeline.ts";
import { createRateLimits } from "../../src/http/rate_limit.ts";
import type { Endpoint, Method, ProtectedRoute } from "../../src/http/route.ts";
import { Metrics } from "../../src/operations/metrics.ts";
import { ANY_OBJECT } from "../../src/validate/json_schema.ts";
import { integer, optional, revision, string } from "../../src/validate/schema.ts";
import { asDocumented } from "../support/documented.ts";
import { ORIGIN, type World } from "../support/world.ts";

/** The family's tables, guarded as the kit's procedures guard them. */
export const GARDEN_TABLES = `
  create table gardens (
    owner_id ulid, garden_id ulid, revision integer, revision_id ulid, created_at timestamptz(3),
    updated_at timestamptz(3), archived_at timestamptz(3), name text,
    primary key (owner_id, garden_id));
  create table garden_revisions (
    owner_id ulid, garden_id ulid, revision integer, revision_id ulid, change text,
    created_at timestamptz(3), archived_at timestamptz(3), name text,
    primary key (owner_id, garden_id, revision));
  create table beds (
    owner_id ulid, garden_id ulid, bed_id ulid, revision integer, revision_id ulid,
    created_at timestamptz(3), updated_at timestamptz(3), crop text, plants integer,
    primary key (owner_id, bed_id));
  create table bed_revisions (
    owner_id ulid, garden_id ulid, bed_id ulid, revision integer, revision_id ulid, change text,
    created_at timestamptz(3), crop text, plants integer, primary key (owner_id, bed_id, revision));
  create table waterings (
    owner_id ulid, watering_id ulid, bed_id ulid, bed_revision integer, litres integer,
    created_at timestamptz(3), primary key (owner_id, watering_id));
  create table almanacs (
    owner_id ulid primary key, almanac_id ulid, revision integer, revision_id ulid,
    created_at timestamptz(3), updated_at timestamptz(3), motto text);
  call make_root('gardens', 'garden_id', '{}');
  call make_root('beds', 'bed_id', array['garden_id']);
  call make_append_only('garden_revisions');
  call make_append_only('bed_revisions');
  call make_append_only('waterings');
  call make_ledger_of_root('garden_revisions', 'gardens', 'garden_id', '{}');
  call make_ledger_of_root('bed_revisions', 'beds', 'bed_id', '{}');`;

interface GardenTypes {
  readonly key: { readonly gardenId: string };
  readonly row: ArchivableRow & { readonly garden_id: string; readonly name: string };
  readonly change: "RENAMED";
  readonly shown: object;
}

const GARDENS: Root<GardenTypes> = {
  module: "garden",
  policy: "garden",
  keyNames: ["gardenId"],
  idOf: (row) => row.garden_id,
  find: (sql, owner, { gardenId }) =>
    sql`select * from gardens where owner_id = ${owner} and garden_id = ${gardenId}`,
  findAt: (sql, owner, { gardenId }, revision) =>
    sql`
      select v.*, g.created_at, v.created_at as updated_at
        from gardens g join garden_revisions v using (owner_id, garden_id)
       where owner_id = ${owner} and garden_id = ${gardenId} and v.revision = ${revision}`,
  lock: (sql, owner, { gardenId }) =>
    sql`
      select * from gardens where owner_id = ${owner} and garden_id = ${gardenId}
         for no key update`,
  lockRevision: (sql, owner, { gardenId }, revision) =>
    sql`
      select 1 from gardens
       where owner_id = ${owner} and garden_id = ${gardenId} and revision = ${revision}
         for no key update`,
  write: (sql, ledger, owner, row, change) =>
    sql<ClaimRow>`
      with ${ledger.claim},
      garden as (${change === "CREATED" ? insertGarden(sql, owner, row) : updateGarden(sql, row)}),
      garden_revision as (
        insert into garden_revisions
        select owner_id, garden_id, revision, revision_id, ${change}, updated_at, archived_at, name
          from garden
      ),
      ${ledger.entries}
      select verdict, envelope from claim`,
  show: ({ garden_id, name, revision, archived_at }) => ({
    ...{ gardenId: garden_id, name, revision, archivedAt: archived_at?.toISOString() ?? null },
  }),
  schema: ANY_OBJECT,
};

function insertGarden(sql: Sql, owner: string, row: GardenTypes["row"]): Query<object> {
  return sql`
    insert into gardens
    select ${owner}, ${row.garden_id}, ${row.revision}::integer, ${row.revision_id},
           ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz,
           ${row.archived_at}::timestamptz, ${row.name}
      from claim where verdict = 'GO'
    returning *`;
}

function updateGarden(sql: Sql, row: GardenTypes["row"]): Query<object> {
  return sql`
    update gardens
       set revision = ${row.revision}::integer, revision_id = ${row.revision_id},
           updated_at = ${row.updated_at}::timestamptz,
           archived_at = ${row.archived_at}::timestamptz, name = ${row.name}
      from claim
     where gardens.owner_id = claim.owner_id and garden_id = ${row.garden_id}
       and claim.verdict = 'GO'
    returning gardens.*`;
}

interface BedRow extends RootRow {
  readonly garden_id: string;
  readonly bed_id: string;
  readonly crop: string;
  readonly plants: number;
}

interface BedTypes {
  readonly key: { readonly gardenId: string; readonly bedId: string };
  readonly row: BedRow;
  readonly change: "REPLANTED";
  readonly shown: object;
}

type BedRevisionRow = BedRow & { readonly change: BedTypes["change"] | BaseChange };

const BEDS: Root<BedTypes> = {
  module: "garden",
  policy: "garden-bed",
  keyNames: ["gardenId", "bedId"],
  idOf: (row) => row.bed_id,
  find: (sql, owner, { gardenId, bedId }) =>
    sql`
      select * from beds
       where owner_id = ${owner} and garden_id = ${gardenId} and bed_id = ${bedId}`,
  findAt: (sql, owner, { gardenId, bedId }, revision) =>
    sql`
      select v.*, b.created_at, v.created_at as updated_at
        from beds b join bed_revisions v using (owner_id, bed_id)
       where owner_id = ${owner} and b.garden_id = ${gardenId} and bed_id = ${bedId}
         and v.revision = ${revision}`,
  lock: (sql, owner, { gardenId, bedId }) =>
    sql`
      select * from beds
       where owner_id = ${owner} and garden_id = ${gardenId} and bed_id = ${bedId}
         for no key update`,
  lockRevision: (sql, owner, { gardenId, bedId }, revision) =>
    sql`
      select 1 from beds
       where owner_id = ${owner} and garden_id = ${gardenId} and bed_id = ${bedId}
         and revision = ${revision} for no key update`,
  write: (sql, ledger, owner, row, change) =>
    sql<ClaimRow>`
      with ${ledger.claim},
      bed as (${change === "CREATED" ? insertBed(sql, owner, row) : updateBed(sql, row)}),
      bed_revision as (
        insert into bed_revisions
        select owner_id, garden_id, bed_id, revision, revision_id, ${change}, updated_at, crop,
               plants
          from bed
      ),
      ${ledger.entries}
      select verdict, envelope from claim`,
  show: ({ garden_id, bed_id, crop, plants, revision }) => ({
    ...{ gardenId: garden_id, bedId: bed_id, crop, plants, revision },
  }),
  schema: ANY_OBJECT,
};

function insertBed(sql: Sql, owner: string, row: BedRow): Query<object> {
  return sql`
    insert into beds
    select ${owner}, ${row.garden_id}, ${row.bed_id}, ${row.revision}::integer, ${row.revision_id},
           ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz, ${row.crop},
           ${row.plants}::integer
      from claim where verdict = 'GO'
    returning *`;
}

function updateBed(sql: Sql, row: BedRow): Query<object> {
  return sql`
    update beds
       set revision = ${row.revision}::integer, revision_id = ${row.revision_id},
           updated_at = ${row.updated_at}::timestamptz, crop = ${row.crop},
           plants = ${row.plants}::integer
      from claim
     where beds.owner_id = claim.owner_id and bed_id = ${row.bed_id} and claim.verdict = 'GO'
    returning beds.*`;
}

const BED_REVISIONS = revisionsOf<BedTypes, BedRevisionRow>(BEDS, {
  cursor: (sql, owner, { bedId }, cursor) =>
    sql`
      select revision from bed_revisions
       where owner_id = ${owner} and bed_id = ${bedId} and revision_id = ${cursor}`,
  rows: (sql, { account: { accountId: owner } }, { bedId }, { cursor, limit }) =>
    readRows<BedRevisionRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from bed_revisions
           where owner_id = ${owner} and bed_id = ${bedId}
             and (${cursor}::text is null or revision < (
               select revision from bed_revisions
                where owner_id = ${owner} and revision_id = ${cursor}))
           order by revision desc limit ${limit}`,
      { columns: sql`*`, long: null, limit },
    ),
  schema: ANY_OBJECT,
});

interface WateringRow {
  readonly watering_id: string;
  readonly bed_id: string;
  readonly bed_revision: number;
  readonly litres: number;
}

const WATERINGS: Entry<BedTypes["key"], WateringRow, object> = {
  policy: "garden-watering",
  idName: "wateringId",
  find: findWatering,
  cursor: findWatering,
  rows: (sql, { account }, { bedId }, { cursor, limit }) =>
    readRows<WateringRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from waterings
           where owner_id = ${account.accountId} and bed_id = ${bedId}
             and (${cursor}::text is null or watering_id < ${cursor})
           order by watering_id desc limit ${limit}`,
      { columns: sql`*`, long: null, limit },
    ),
  cursorOf: (row) => row.watering_id,
  show: ({ watering_id, bed_id, bed_revision, litres }) => ({
    ...{ wateringId: watering_id, bedId: bed_id, bedRevision: bed_revision, litres },
  }),
  schema: ANY_OBJECT,
};

function findWatering(
  sql: Sql,
  owner: string,
  { gardenId, bedId }: BedTypes["key"],
  id: string,
): Query<WateringRow> {
  return sql<WateringRow>`
    select w.* from waterings w join beds b using (owner_id, bed_id)
     where owner_id = ${owner} and b.garden_id = ${gardenId} and bed_id = ${bedId}
       and watering_id = ${id}`;
}

interface AlmanacTypes {
  readonly key: Record<never, string>;
  readonly row: RootRow & { readonly almanac_id: string; readonly motto: string };
  readonly change: never;
  readonly shown: object;
}

/** An owner's only one, which no identifier in the path names. It has one revision in these tests. */
const ALMANACS: Root<AlmanacTypes> = {
  module: "garden",
  policy: "garden-almanac",
  keyNames: [],
  idOf: (row) => row.almanac_id,
  find: (sql, owner) => sql`select * from almanacs where owner_id = ${owner}`,
  findAt: (sql, owner, _key, revision) =>
    sql`select * from almanacs where owner_id = ${owner} and revision = ${revision}`,
  lock: (sql, owner) => sql`select * from almanacs where owner_id = ${owner} for no key update`,
  lockRevision: (sql, owner, _key, revision) =>
    sql`
      select 1 from almanacs where owner_id = ${owner} and revision = ${revision}
         for no key update`,
  write: (sql, ledger, owner, row) =>
    sql<ClaimRow>`
      with ${ledger.claim},
      almanac as (
        insert into almanacs
        select ${owner}, ${row.almanac_id}, ${row.revision}::integer, ${row.revision_id},
               ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz, ${row.motto}
          from claim where verdict = 'GO'
      ),
      ${ledger.entries}
      select verdict, envelope from claim`,
  show: ({ motto, revision }) => ({ motto, revision }),
  schema: ANY_OBJECT,
};

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
      decide({ bed_id, revision }, { litres }, { call: { identity, now } }) {
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
              ${ledger.entries}
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
export const MOST_BEDS = 3;

const DETAIL = { summary: "Read it", revisions: true };

function createGarden(services: FamilyServices): Endpoint {
  return createEndpoint(services, GARDENS, {
    summary: "Lay out a garden",
    body: GARDEN,
    example: { name: "The garden behind the house" },
    decide: ({ name }, now) => ({
      ...{ garden_id: newId(now), ...firstRevision(now), archived_at: null, name },
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
    related: async (sql, { garden_id }, _body, { identity }) =>
      (await sql`
        select 1 from beds
         where owner_id = ${identity.account.accountId} and garden_id = ${garden_id}`).length,
    decide({ garden_id, archived_at }, body, now, { related: beds }) {
      if (archived_at !== null || beds >= MOST_BEDS) {
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
    knownIdentities: new KnownIdentities(),
    limits: createRateLimits(0, 0),
    crossOrigin: new CrossOrigin([]),
    isServedHost: () => true,
    meter: new Metrics(),
  });
  return asDocumented({ routes, fetch, drain: () => Promise.resolve(), listenerFailed: () => {} });
}

/** The tables of the family of gardens, and how its roots and entries are read and written. */

import type { ClaimRow } from "../../src/command/ledger.ts";
import type { Query, Sql } from "../../src/database/sql.ts";
import { readRows } from "../../src/database/walk.ts";
import type { LedgerEntry } from "../../src/families/kit/entry.ts";
import { revisionsOf } from "../../src/families/kit/list_routes.ts";
import type { ArchivableRow, BaseChange, RootRow } from "../../src/families/kit/root.ts";
import type { Root } from "../../src/families/kit/write.ts";
import { ANY_OBJECT } from "../../src/validate/json_schema.ts";

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

/** Roots that can be archived. */
export const GARDENS: Root<GardenTypes> = {
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
      ${ledger.ctes}
      select verdict, envelope from claim`,
  show: ({ garden_id, name, revision, archived_at }) => ({
    gardenId: garden_id,
    name,
    revision,
    archivedAt: archived_at?.toISOString() ?? null,
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

/** Roots below a garden. */
export const BEDS: Root<BedTypes> = {
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
      ${ledger.ctes}
      select verdict, envelope from claim`,
  show: ({ garden_id, bed_id, crop, plants, revision }) => ({
    gardenId: garden_id,
    bedId: bed_id,
    crop,
    plants,
    revision,
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

/** Every revision of a bed, the newest first. */
export const BED_REVISIONS = revisionsOf<BedTypes, BedRevisionRow>(BEDS, {
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

/** What was poured on a bed, which never changes. */
export const WATERINGS: LedgerEntry<BedTypes["key"], WateringRow, object> = {
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
    wateringId: watering_id,
    bedId: bed_id,
    bedRevision: bed_revision,
    litres,
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
export const ALMANACS: Root<AlmanacTypes> = {
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
      ${ledger.ctes}
      select verdict, envelope from claim`,
  show: ({ motto, revision }) => ({ motto, revision }),
  schema: ANY_OBJECT,
};

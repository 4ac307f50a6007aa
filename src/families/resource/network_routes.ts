/** RES-006: the network, each resource with its latest snapshot. */

import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import { shortRootColumns } from "../../kit/tables.ts";
import type { FamilyServices } from "../../kit/write.ts";
import {
  PAGE_QUERY,
  pageOf,
  type PageQuery,
  readPage,
  readPageQuery,
  toWalkedPage,
} from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { component, type JsonSchema, nullable } from "../../validate/json_schema.ts";
import { type Resource, RESOURCE_SCHEMA, type ResourceRow, showResource } from "./resource.ts";
import {
  RESOURCE_SNAPSHOT_SCHEMA,
  type ResourceSnapshot,
  type ResourceSnapshotRow,
  showSnapshot,
} from "./snapshot.ts";
import { snapshotsWithUnits } from "./snapshot_store.ts";
import { STORED_RESOURCES } from "./resource_store.ts";

interface NetworkItem {
  readonly resource: Resource;
  /** The snapshot observed last; of equal ones, recorded last. */
  readonly latestSnapshot: ResourceSnapshot | null;
}

const NETWORK_ITEM_SCHEMA: JsonSchema = component<NetworkItem>("NetworkItem", {
  resource: RESOURCE_SCHEMA,
  latestSnapshot: nullable(RESOURCE_SNAPSHOT_SCHEMA),
});

/** The snapshot's columns are all null without one. */
interface NetworkRow extends ResourceRow, LatestColumns {}

type LatestColumns = {
  readonly [
    Name in Exclude<keyof ResourceSnapshotRow, "resource_id"> as `latest_${Name}`
  ]: ResourceSnapshotRow[Name];
};

export function createNetworkEndpoint(
  { database }: Pick<FamilyServices, "database">,
): Endpoint {
  return endpoint({
    contract: {
      summary: "List the resources of the network, each with its latest snapshot, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(NETWORK_ITEM_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readPageQuery(query),
    async handle({ parsed: page, caller }) {
      const owner = caller.account.accountId;
      const walked = await readPage(database, (sql) => ({
        cursor: page.cursor === null ? null : sql`
          select 1 from resources where owner_id = ${owner} and resource_id = ${page.cursor}`,
        rows: readNetwork(sql, owner, page),
      }));
      return ok(toWalkedPage(walked, showItem, (row) => row.resource_id));
    },
  });
}

function readNetwork(
  sql: Sql,
  owner: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<NetworkRow>> {
  return readRows<NetworkRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from (
          select * from resources
           where owner_id = ${owner} and archived_at is null and resource_type = 'NETWORK'
             ${cursor === null ? sql`` : sql`and resource_id < ${cursor}`}
           order by resource_id desc limit ${limit}
        ) resource left join lateral (${latestSnapshot(sql)}) latest on true
         order by resource_id desc`,
    {
      columns: sql`${
        shortRootColumns(sql, STORED_RESOURCES.tables(sql))
      }, latest_snapshot_id, latest_resource_revision,
        latest_observed_at, latest_amount, latest_unit, latest_capacity, latest_available,
        latest_level, latest_created_at, latest_clocks`,
      long: {
        kind: "text",
        // The first column is never null.
        columns: { name: sql`name`, notes: sql`notes`, latest_note: sql`latest_note` },
        hidden: null,
      },
      limit,
    },
  );
}

function latestSnapshot(sql: Sql): Query<object> {
  return sql`
    select snapshot_id as latest_snapshot_id, resource_revision as latest_resource_revision,
           observed_at as latest_observed_at, amount as latest_amount, unit as latest_unit,
           capacity as latest_capacity, available as latest_available, level as latest_level,
           note as latest_note, created_at as latest_created_at, clocks::text as latest_clocks
      from ${snapshotsWithUnits(sql)}
     where owner_id = resource.owner_id and resource_id = resource.resource_id
     order by observed_at desc, snapshot_id desc limit 1`;
}

function showItem(row: NetworkRow): NetworkItem {
  return {
    resource: showResource(row),
    latestSnapshot: row.latest_snapshot_id === null ? null : showSnapshot({
      snapshot_id: row.latest_snapshot_id,
      resource_id: row.resource_id,
      resource_revision: row.latest_resource_revision,
      observed_at: row.latest_observed_at,
      amount: row.latest_amount,
      unit: row.latest_unit,
      capacity: row.latest_capacity,
      available: row.latest_available,
      level: row.latest_level,
      note: row.latest_note,
      created_at: row.latest_created_at,
      clocks: row.latest_clocks,
    }),
  };
}

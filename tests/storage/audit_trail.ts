import { readCovered, readSeals } from "../../src/audit/seal_store.ts";
import { sealTrails } from "../../src/audit/sealing.ts";
import type { TrailKind } from "../../src/audit/trail.ts";
import { type BrokenSeal, type Verification, verifyTrails } from "../../src/audit/verify.ts";
import { newId } from "../../src/core/ids.ts";
import { waitUntil } from "../support/wait.ts";
import type { World } from "../support/world.ts";
import { insertInto, type Row } from "./rows.ts";

const TABLES = ["audit_entries", "access_events", "audit_seals", "audit_late_entries"];

/** Table and key columns by kind. */
export const SEALED_TABLES = {
  audit: { table: "audit_entries", owner: "owner_id", id: "audit_id" },
  access: { table: "access_events", owner: "account_id", id: "event_id" },
} as const satisfies Record<TrailKind, unknown>;

/** Identified at the world's time. */
export function newEntry(world: World, kind: TrailKind, account: string, columns: Row = {}): Row {
  const { owner, id } = SEALED_TABLES[kind];
  const common = { [owner]: account, [id]: newId(world.now()), request_id: newId(world.now()) };
  const now = world.now().toISOString();
  const named = kind === "access" ? { event: "LOGIN" } : {
    actor_id: account,
    credential_kind: "SESSION",
    credential_id: newId(world.now()),
    operation: "record.create",
  };
  return { ...common, ...named, created_at: now, ...columns };
}

/** One entry per minute, past the application; returns the identifiers. */
export async function write(
  world: World,
  kind: TrailKind,
  account: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    world.advance(60_000);
    const entry = newEntry(world, kind, account);
    ids.push(String(entry[SEALED_TABLES[kind].id]));
    await world.raw(insertInto(SEALED_TABLES[kind].table, entry));
  }
  return ids;
}

/** Seals everything, once nothing is held back. */
export async function sealAll(world: World): Promise<void> {
  await untilNothingIsHeldBack(world);
  await waitUntil("everything is sealed", async () => {
    await sealTrails(world.database, world.now);
    return await hasNoEntry(world, "sealed_below from audit_sealing");
  });
}

/**
 * Transactions of other tests on the server hold entries back, which would divide them among
 * several seals.
 */
export async function untilNothingIsHeldBack(world: World): Promise<void> {
  await waitUntil(
    "nothing is held back",
    () => hasNoEntry(world, "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"),
  );
}

/**
 * Whether no committed entry is of `first` or a later transaction. Subqueries are computed once.
 */
async function hasNoEntry(world: World, first: string): Promise<boolean> {
  const selects = Object.values(SEALED_TABLES).map(({ table }) =>
    `select from ${table} where transaction_id >= (select ${first})
      and transaction_id < (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`
  );
  return (await world.rows(selects.join(" union all "))).length === 0;
}

/** Recomputes every seal. */
export async function verify(
  { database }: World,
  anchors: readonly string[] = [],
): Promise<Verification> {
  return await verifyTrails(database, anchors, () => {});
}

/** Lists broken seals as `number fault`. */
export async function brokenOf(world: World, account: string): Promise<string[]> {
  const { broken } = await verify(world);
  return broken.filter(({ accountId }: BrokenSeal) => accountId === account)
    .map(({ number, fault }) => `${number} ${fault}`);
}

/** Runs a script as a superuser who disables all guards. */
export async function attack(world: World, script: string): Promise<void> {
  const turn = (action: string) =>
    TABLES.map((table) => `alter table ${table} ${action} trigger all;`).join("");
  await world.raw(`${turn("disable")}${script};${turn("enable")}`);
  await world.raw(
    TABLES.map((table) => `alter table ${table} enable always trigger append_only;`).join(""),
  );
}

/** Identifiers per seal, oldest first. */
export async function coverOf(
  { database }: World,
  kind: TrailKind,
  accountId: string,
): Promise<string[][]> {
  return await database.snapshot(async (sql) => {
    const covers: string[][] = [];
    let after = "";
    for await (const seal of readSeals(sql, { accountId, kind })) {
      const rows = await Array.fromAsync(readCovered(sql, { seal, after }));
      covers.push(rows.map(({ id }) => id));
      after = seal.throughId;
    }
    return covers;
  });
}

/** Oldest first. */
export async function digestsOf(
  { database }: World,
  kind: TrailKind,
  accountId: string,
): Promise<string[]> {
  return await database.snapshot(async (sql) => {
    const seals = await Array.fromAsync(readSeals(sql, { accountId, kind }));
    return seals.map(({ digest }) => digest);
  });
}

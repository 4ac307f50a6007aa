/** Seals every ten minutes, and logs the digests to store them outside the database. */

import type { Clock } from "../core/clock.ts";
import { waitUpTo } from "../core/deadline.ts";
import { idAfter } from "../core/ids.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { MerkleTree } from "./merkle.ts";
import { hexOf, type Seal, sealed } from "./seal.ts";
import {
  type Batch,
  type LateEntry,
  readNewestSeal,
  readSpan,
  readWaiting,
  readWaitingTrails,
  type Span,
  type StoredSeal,
  toSeal,
  type WaitingTrail,
  writeBatch,
} from "./seal_store.ts";
import { toTrailEntry, type Trail, TRAIL_KINDS, trailLeaf, type TrailRow } from "./trail.ts";

const INTERVAL_MS = 10 * 60 * 1000;
/** Maximum time for sealing at shutdown; the next start seals the rest. */
const SHUTDOWN_MS = 5_000;
/**
 * Maximum entries of a seal; further ones go into the next. A proof reads all entries of one seal.
 */
export const ENTRIES_PER_SEAL = 4_096;

/** The database restarted its transaction numbers, as after loading a dump. */
class TransactionsRestartedError extends Error {
  override readonly name = "TransactionsRestartedError";
}

/**
 * Seals every entry below the oldest running transaction. Locks nothing while entries are read and
 * hashed; of concurrent processes one writes, and the others try again.
 *
 * @returns the new seals.
 * @throws TransactionsRestartedError
 */
export async function sealTrails(database: Database, clock: Clock): Promise<readonly Seal[]> {
  while (true) {
    const { span, trails } = await database.snapshot(readAllWaiting);
    const batch = await makeBatch(database.read, span, trails, clock());
    if (batch.seals.length === 0) return [];
    const isWritten = await database.transaction((tx) => writeBatch(tx, span, batch));
    if (isWritten) return batch.seals.map(toSeal);
  }
}

async function readAllWaiting(
  sql: Sql,
): Promise<{ readonly span: Span; readonly trails: readonly WaitingTrail[] }> {
  const span = await readSpan(sql);
  if (BigInt(span.until) < BigInt(span.below)) throw new TransactionsRestartedError();
  const trails: WaitingTrail[] = [];
  for (const kind of TRAIL_KINDS) trails.push(...await readWaitingTrails(sql, kind, span));
  return { span, trails };
}

/** Restored entries have transaction 0. */
const RESTORED: Span = { below: "0", until: "1" };

/** Seals the entries that a transaction restores into an empty database, in it. */
export async function sealRestored(tx: Tx, now: Date): Promise<void> {
  const { sql } = tx;
  const trails: WaitingTrail[] = [];
  for (const kind of TRAIL_KINDS) trails.push(...await readWaitingTrails(sql, kind, RESTORED));
  await sql`set local enable_bitmapscan to default`;
  await sql`set local enable_indexscan to default`;
  const batch = await makeBatch((use) => use(sql), RESTORED, trails, now);
  if (batch.seals.length > 0) await writeBatch(tx, RESTORED, batch);
}

async function makeBatch(
  read: <T>(use: (sql: Sql) => Promise<T>) => Promise<T>,
  span: Span,
  trails: readonly WaitingTrail[],
  now: Date,
): Promise<Batch> {
  const [seals, late]: [StoredSeal[], LateEntry[]] = [[], []];
  for (const trail of trails) {
    const newest = await read((sql) => readNewestSeal(sql, trail));
    const chain = new Chain(trail, newest, now);
    for await (const rows of readWaiting(read, trail, span)) chain.add(rows);
    seals.push(...chain.end());
    late.push(...chain.late);
  }
  return { seals, late };
}

class Chain {
  readonly late: LateEntry[] = [];
  readonly #trail: Trail;
  readonly #now: Date;
  readonly #sealedThrough: string;
  readonly #seals: StoredSeal[] = [];
  #previous: StoredSeal | null;
  #tree = new MerkleTree();
  #firstId = "";
  #lastId = "";

  constructor({ accountId, kind }: Trail, newest: StoredSeal | null, now: Date) {
    this.#trail = { accountId, kind };
    this.#previous = newest;
    this.#sealedThrough = newest?.throughId ?? "";
    this.#now = now;
  }

  add(rows: readonly TrailRow[]): void {
    for (const row of rows) {
      if (this.#tree.leaves === ENTRIES_PER_SEAL) this.#seal();
      if (this.#tree.leaves === 0) this.#firstId = row.id;
      this.#lastId = row.id;
      this.#tree.add(trailLeaf(this.#trail.accountId, toTrailEntry(row)));
      if (row.id <= this.#sealedThrough) {
        this.late.push({ ...this.#trail, entryId: row.id, number: this.#number });
      }
    }
  }

  end(): readonly StoredSeal[] {
    if (this.#tree.leaves > 0) this.#seal();
    return this.#seals;
  }

  get #number(): number {
    return (this.#previous?.number ?? 0) + 1;
  }

  #seal(): void {
    const seal = sealed({
      ...this.#trail,
      sealId: idAfter(this.#previous?.sealId ?? null, this.#now),
      number: this.#number,
      entries: this.#tree.leaves,
      firstId: this.#firstId,
      lastId: this.#lastId,
      root: hexOf(this.#tree.root()),
      previous: this.#previous?.digest ?? null,
      createdAt: this.#now.toISOString(),
    });
    const through = this.#previous?.throughId ?? "";
    this.#previous = { ...seal, throughId: seal.lastId > through ? seal.lastId : through };
    this.#seals.push(this.#previous);
    this.#tree = new MerkleTree();
  }
}

interface Sealing {
  /** Seals now, after the running operation. */
  seal(): Promise<void>;
  /** Seals a last time, for at most five seconds. Logs a failure. */
  stop(): Promise<void>;
}

/**
 * Seals every ten minutes, and logs the digests, so that they are also stored outside the database.
 */
export function startSealing(database: Database, clock: Clock, log: Log): Sealing {
  let last: Promise<unknown> = Promise.resolve();
  const run = async () => {
    try {
      for (
        const { accountId, kind, number, entries, digest } of await sealTrails(database, clock)
      ) {
        log.info("audit_sealed", { ownerId: accountId, kind, number, entries, digest });
      }
    } catch (error) {
      log.error("audit_sealing_failed", errorFields(error));
      throw error;
    }
  };
  const seal = () => {
    const sealing = last.then(run);
    last = sealing.catch(() => {});
    return sealing;
  };
  const timer = setInterval(() => void seal().catch(() => {}), INTERVAL_MS);
  return {
    seal,
    stop: async () => {
      clearInterval(timer);
      await waitUpTo(SHUTDOWN_MS, seal().catch(() => {}));
    },
  };
}

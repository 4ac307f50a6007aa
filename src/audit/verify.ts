/** Recomputes every seal from the entries. */

import { decodeTime } from "@std/ulid";
import type { Report } from "../core/report.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { MerkleTree } from "./merkle.ts";
import { hexOf, sealDigest } from "./seal.ts";
import {
  countWaiting,
  hasStrays,
  nextAccount,
  readCovered,
  readSeals,
  type StoredSeal,
  toSeal,
} from "./seal_store.ts";
import { toTrailEntry, type Trail, TRAIL_KINDS, trailLeaf, type TrailRow } from "./trail.ts";

/** The maximum duration of a transaction: an entry belongs to the first seal after it. */
const LATE_MS = 60 * 60 * 1000;

export type Fault =
  /** A number is missing: a later seal follows an earlier one directly. */
  | "missing"
  /** The seal does not name the digest of the previous seal. */
  | "previous"
  /** The seal's digest does not match its content. */
  | "digest"
  /** The seal's entries are not those that were sealed. */
  | "entries"
  /** There is no such seal, although entries should be in it. */
  | "absent"
  /** The seal covers an entry dated more than an hour before the previous seal. */
  | "backdated";

export interface BrokenSeal extends Trail {
  readonly number: number;
  readonly fault: Fault;
}

export interface Verification {
  readonly seals: number;
  /** Entries in seals that hold. */
  readonly entries: number;
  readonly waiting: number;
  /** The first broken seal of each trail, and earlier backdated ones. */
  readonly broken: readonly BrokenSeal[];
  /** Digests that no valid seal has: the end of a trail was cut off or replaced. */
  readonly missingAnchors: readonly string[];
}

/**
 * Verifies the trails one by one, each in one snapshot. Memory use does not depend on the number of
 * entries.
 *
 * @param anchors Digests of seals, in hex, that were stored outside the database.
 */
export async function verifyTrails(
  database: Database,
  anchors: readonly string[],
  report: Report,
): Promise<Verification> {
  const missing = new Set(anchors);
  const sums = { seals: 0, entries: 0, waiting: 0 };
  const broken: BrokenSeal[] = [];
  for (const kind of TRAIL_KINDS) {
    let accountId = await database.read((sql) => nextAccount(sql, kind, ""));
    while (accountId !== null) {
      const trail = { accountId, kind };
      const found = await database.snapshot((sql) => verifyTrail(sql, trail, missing));
      sums.seals += found.seals;
      sums.entries += found.entries;
      sums.waiting += found.waiting;
      broken.push(...found.broken);
      report(`${sums.seals} seals over ${sums.entries} entries`);
      accountId = await database.read((sql) => nextAccount(sql, kind, trail.accountId));
    }
  }
  return { ...sums, broken, missingAnchors: [...missing] };
}

type VerifiedTrail = Omit<Verification, "missingAnchors">;

async function verifyTrail(
  sql: Sql,
  trail: Trail,
  missing: Set<string>,
): Promise<VerifiedTrail> {
  const broken: BrokenSeal[] = [];
  let [seals, entries]: [number, number] = [0, 0];
  let previous: StoredSeal | null = null;
  // The newest seal of an earlier batch, because all seals of a batch have one time.
  let earlier: StoredSeal | null = null;
  const end = (number: number, fault: Fault): VerifiedTrail => ({
    seals,
    entries,
    waiting: 0,
    broken: [...broken, { ...trail, number, fault }],
  });
  for await (const seal of readSeals(sql, trail)) {
    const number = (previous?.number ?? 0) + 1;
    const fault = faultOf(seal, previous) ?? await faultOfEntries(sql, seal, previous);
    if (fault !== null) return end(number, fault);
    if (previous?.createdAt !== seal.createdAt) earlier = previous;
    if (isBackdated(seal.firstId, earlier)) broken.push({ ...trail, number, fault: "backdated" });
    missing.delete(seal.digest);
    seals++;
    entries += seal.entries;
    previous = seal;
  }
  const next = (previous?.number ?? 0) + 1;
  if (await hasStrays(sql, trail, previous)) return end(next, "absent");
  const waiting = await countWaiting(sql, trail);
  if (waiting.firstId !== null && isBackdated(waiting.firstId, previous)) {
    broken.push({ ...trail, number: next, fault: "backdated" });
  }
  return { seals, entries, waiting: waiting.entries, broken };
}

function faultOf(seal: StoredSeal, previous: StoredSeal | null): Fault | null {
  if (seal.number !== (previous?.number ?? 0) + 1) return "missing";
  if (seal.previous !== (previous?.digest ?? null)) return "previous";
  const { digest, ...content } = toSeal(seal);
  return digest === sealDigest(content) ? null : "digest";
}

async function faultOfEntries(
  sql: Sql,
  seal: StoredSeal,
  previous: StoredSeal | null,
): Promise<Fault | null> {
  const after = previous?.throughId ?? "";
  const through = seal.lastId > after ? seal.lastId : after;
  const tree = new MerkleTree();
  let [first, last] = ["", ""];
  for await (const row of readCovered(sql, { seal, after })) {
    if (tree.leaves === 0) first = row.id;
    last = row.id;
    const leaf = leafOf(seal, row);
    if (leaf === null) return "entries";
    tree.add(leaf);
  }
  const isWhole = tree.leaves === seal.entries && first === seal.firstId && last === seal.lastId &&
    hexOf(tree.root()) === seal.root && seal.throughId === through;
  return isWhole ? null : "entries";
}

/** Returns null for an invalid timestamp, which this service never writes. */
function leafOf({ accountId }: Trail, row: TrailRow): Uint8Array | null {
  try {
    return trailLeaf(accountId, toTrailEntry(row));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isBackdated(id: string, previous: StoredSeal | null): boolean {
  return previous !== null && decodeTime(id) < Date.parse(previous.createdAt) - LATE_MS;
}

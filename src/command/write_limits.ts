import type { Clock } from "../core/clock.ts";
import type { ReadDiskSpace } from "../core/disk_space.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";

/** Checked before every write. */
export interface WriteLimits {
  /** Maximum bytes of an account's content; null for no limit. */
  readonly accountBytes: number | null;
  /** @throws ServiceError `HTTP_503` if the disk is nearly full. */
  readonly assertDiskRoom: () => void;
}

export const NO_LIMITS: WriteLimits = { accountBytes: null, assertDiskRoom: () => {} };

/** Returns the bytes of an account's content with all revisions, as `accountBytes` limits them. */
export async function readStoredBytes(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::double precision as bytes from account_storage
     where owner_id = ${owner}`;
  return row?.bytes ?? 0;
}

/** Limits the account's content in the rest of the transaction, as the claim of a write does. */
export function limitStorage(sql: Sql, accountBytes: number | null): Query<object> {
  return sql`select set_config('prs.account_storage_bytes', ${String(accountBytes ?? "")}, true)`;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const RESERVED_PART = 0.02;
const MIN_RESERVE = 64 * MIB;
const MAX_RESERVE = GIB;
/** The reserve of a file system below 1 GiB. */
const SMALL_DISK = { reservedPart: 1 / 16, minReserve: 16 * MIB };
/** Maximum age of a reading. */
const READING_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

/** The bytes that writes leave free. */
export function reserveOf(total: number): number {
  if (total < GIB) return Math.max(total * SMALL_DISK.reservedPart, SMALL_DISK.minReserve);
  return Math.min(Math.max(total * RESERVED_PART, MIN_RESERVE), MAX_RESERVE);
}

export class DiskNearlyFullError extends Error {
  override readonly name = "DiskNearlyFullError";
  readonly code = "DISK_NEARLY_FULL";

  constructor() {
    super("The disk is nearly full");
  }
}

/** Reads the free space of `DATA_DIR`'s file system, at most once a second. */
export class DiskRoom {
  readonly #read: ReadDiskSpace;
  readonly #clock: Clock;
  #space: ReturnType<ReadDiskSpace> = null;
  #readAt = -Infinity;

  constructor(read: ReadDiskSpace, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Null if the system does not report it. */
  get freeBytes(): number | null {
    return this.#current()?.free ?? null;
  }

  /** @throws ServiceError `HTTP_503` if the free space is below the reserve. */
  assertRoom(): void {
    this.#assert(this.#current(), 0);
  }

  /**
   * Reads the free space again, because files are written faster than a transaction.
   *
   * @throws ServiceError `HTTP_503` if the reserve would not stay free after so many more bytes.
   */
  assertRoomFor(bytes: number): void {
    this.#readAt = -Infinity;
    this.#assert(this.#current(), bytes);
  }

  #assert(space: ReturnType<ReadDiskSpace>, bytes: number): void {
    if (space === null || space.free - bytes >= reserveOf(space.total)) return;
    throw new ServiceError("HTTP_503", {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
      cause: new DiskNearlyFullError(),
    });
  }

  #current(): ReturnType<ReadDiskSpace> {
    const now = this.#clock().getTime();
    // `abs`, in case the clock was set back.
    if (Math.abs(now - this.#readAt) >= READING_MS) {
      this.#space = this.#read();
      this.#readAt = now;
    }
    return this.#space;
  }
}

export function writeLimits(accountBytes: number, room: DiskRoom): WriteLimits {
  return { accountBytes, assertDiskRoom: () => room.assertRoom() };
}

/** The limits of a process that refuse a write of any family. */

import type { Clock } from "../core/clock.ts";
import type { ReadDiskSpace } from "../core/disk_space.ts";
import { ServiceError } from "../errors/service_error.ts";

/** Limits that a `CommandRunner` checks before it writes. */
export interface WriteLimits {
  /** Maximum bytes of content per account; null for no limit. */
  readonly accountBytes: number | null;
  /** @throws ServiceError `HTTP_503` if the disk is nearly full. */
  readonly assertDiskRoom: () => void;
}

/** Accepts every write. */
export const NO_LIMITS: WriteLimits = { accountBytes: null, assertDiskRoom: () => {} };

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** A smaller file system has no reserve, which would be too large a part of it. */
const SMALLEST_TOTAL = GIB;
const RESERVED_PART = 0.02;
const MIN_RESERVE = 64 * MIB;
const MAX_RESERVE = GIB;
/** How long a reading counts. */
const READING_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

/** The bytes that writes leave free on a file system of that size. */
export function reserveOf(total: number): number {
  if (total < SMALLEST_TOTAL) return 0;
  return Math.min(Math.max(total * RESERVED_PART, MIN_RESERVE), MAX_RESERVE);
}

/** The free space is below the reserve. */
export class DiskNearlyFullError extends Error {
  override readonly name = "DiskNearlyFullError";
  readonly code = "DISK_NEARLY_FULL";

  constructor() {
    super("The disk is nearly full");
  }
}

/** The free space of the file system of `DATA_DIR`, at most one second old. */
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
    const space = this.#current();
    if (space === null || space.free >= reserveOf(space.total)) return;
    throw new ServiceError("HTTP_503", {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
      cause: new DiskNearlyFullError(),
    });
  }

  #current(): ReturnType<ReadDiskSpace> {
    const now = this.#clock().getTime();
    // If the clock is set back, a reading must not stay valid.
    if (Math.abs(now - this.#readAt) >= READING_MS) {
      this.#space = this.#read();
      this.#readAt = now;
    }
    return this.#space;
  }
}

/** The limits of a process with `accountBytes` per account, on the disk that `room` measures. */
export function writeLimits(accountBytes: number, room: DiskRoom): WriteLimits {
  return { accountBytes, assertDiskRoom: () => room.assertRoom() };
}

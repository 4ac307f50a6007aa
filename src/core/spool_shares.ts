/**
 * One account of everything that is written for an owner and is not in rows: the files of imports
 * and exports. It is measured on the disk, so that it is right after a crash, too.
 */

/** Measured again after so many bytes, because others write for the same owner. */
const MEASURE_EVERY_BYTES = 16 * 1024 * 1024;

/** The owner's files would pass its share. */
export class SpoolFullError extends Error {
  override readonly name = "SpoolFullError";

  constructor() {
    super("The spooled files of an account would pass their share");
  }
}

/** Returns the bytes that an owner has in one spool. */
type MeasureSpool = (owner: string) => Promise<number>;

export class SpoolShares {
  /** The maximum bytes of each owner. */
  readonly accountBytes: number;
  readonly #spools: readonly MeasureSpool[];
  readonly #assertDiskRoom: (bytes: number) => void;

  /** @param assertDiskRoom Throws if so many more bytes would not leave the disk's reserve free. */
  constructor(
    accountBytes: number,
    spools: readonly MeasureSpool[],
    assertDiskRoom: (bytes: number) => void,
  ) {
    this.accountBytes = accountBytes;
    this.#spools = spools;
    this.#assertDiskRoom = assertDiskRoom;
  }

  async usedBy(owner: string): Promise<number> {
    const sizes = await Promise.all(this.#spools.map((measure) => measure(owner)));
    return sizes.reduce((total, size) => total + size, 0);
  }

  /** @throws SpoolFullError if so many more bytes would pass the owner's share. */
  async assertRoom(owner: string, bytes: number): Promise<void> {
    if (await this.usedBy(owner) + bytes > this.accountBytes) throw new SpoolFullError();
  }

  meterOf(owner: string): SpoolMeter {
    return new SpoolMeter(this, owner, this.#assertDiskRoom);
  }
}

/** Asked before each write to an owner's files. */
export class SpoolMeter {
  readonly #shares: SpoolShares;
  readonly #owner: string;
  readonly #assertDiskRoom: (bytes: number) => void;
  /** Bytes that may be written before the files are measured again. */
  #left = 0;

  constructor(shares: SpoolShares, owner: string, assertDiskRoom: (bytes: number) => void) {
    this.#shares = shares;
    this.#owner = owner;
    this.#assertDiskRoom = assertDiskRoom;
  }

  /** @throws SpoolFullError beyond the owner's share; the errors of `assertDiskRoom`. */
  async add(bytes: number): Promise<void> {
    this.#assertDiskRoom(bytes);
    if (bytes > this.#left) {
      const room = this.#shares.accountBytes - await this.#shares.usedBy(this.#owner);
      if (bytes > room) throw new SpoolFullError();
      this.#left = Math.max(bytes, Math.min(room, MEASURE_EVERY_BYTES));
    }
    this.#left -= bytes;
  }
}

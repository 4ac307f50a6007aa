/** A caller known to a process whose writes a test holds. */

import { assertEquals } from "@std/assert";
import type { App } from "../../src/app.ts";
import type { Database } from "../../src/database/database.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  type JsonRecord,
  type TestResponse,
  type World,
} from "../support/world.ts";

export const MEMORIES = "/api/v2/memory/texts";
export const MEMORY = { title: "A walk", memoryType: "PLACE", originalContent: "By the river" };
export const BODY = { title: "A promise", payload: COMMITMENT };

/** Operations by kind. */
interface Counts {
  reads: number;
  writes: number;
  transactions: number;
}

interface Holding {
  readonly database: Database;
  readonly counts: Counts;
  /** All writes so far are stored, including credential uses, which responses do not wait for. */
  settled(): Promise<void>;
  /** Holds the next write or transaction; with `read` also the next read, if first. */
  holdNext(read?: "read"): { readonly reached: Promise<void>; readonly letGo: () => void };
}

/** A caller with a record and a memory, and its bearer in a process. */
export interface Writer extends Holding {
  readonly app: App;
  readonly caller: Caller;
  readonly bearer: Caller;
  readonly record: JsonRecord;
  readonly memory: JsonRecord;
}

/** Once armed, its next operation waits before it begins. */
function holdingWrites(real: Database): Holding {
  let next: { readonly reached: () => void; readonly release: Promise<void> } | null = null;
  const counts = { reads: 0, writes: 0, transactions: 0 };
  const writes = new Set<Promise<unknown>>();
  let isReadHeld = false;
  const arrive = async () => {
    const held = next;
    next = null;
    held?.reached();
    await held?.release;
  };
  const database: Database = {
    ...real,
    async read(use) {
      counts.reads++;
      if (isReadHeld) await arrive();
      return await real.read(use);
    },
    write(statement) {
      counts.writes++;
      const written = arrive().then(() => real.write(statement));
      writes.add(written);
      return written;
    },
    async transaction(use) {
      counts.transactions++;
      await arrive();
      return await real.transaction(use);
    },
  };
  return {
    database,
    counts,
    async settled() {
      await Promise.allSettled(writes);
    },
    holdNext(read?: "read") {
      isReadHeld = read !== undefined;
      Object.assign(counts, { reads: 0, writes: 0, transactions: 0 });
      const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      next = { reached: reached.resolve, release: release.promise };
      return { reached: reached.promise, letGo: release.resolve };
    },
  };
}

/** The same credential or another one of the caller, in another process. */
type Bear = (world: World, app: App, caller: Caller) => Promise<Caller>;

export const BEARERS: Readonly<Record<string, Bear>> = {
  session: (_world, app, caller) => Promise.resolve(callerOf(app, caller)),
  async token(world, app, caller) {
    const permissions = [
      "record.read",
      "record.write",
      "memory.read",
      "memory.write",
      "platform.operate",
    ];
    const { token } = await makeToken(world, caller, { permissions });
    return callerOf(app, { ...caller, secret: token });
  },
};

/** A caller with a record, a memory, and a process that knows the bearer's credential. */
export async function knownWriter(
  where: World,
  bear: Bear = BEARERS.session as Bear,
): Promise<Writer> {
  const caller = await where.createCaller();
  const holding = holdingWrites(where.database);
  const app = where.again({ database: holding.database });
  const bearer = await bear(where, app, caller);
  const record = await succeed(bearer.call("POST", COMMITMENTS, { key: "first", body: BODY }), 201);
  await holding.settled();
  const memory = await succeed(bearer.call("POST", MEMORIES, { key: "memory", body: MEMORY }), 201);
  return { app, caller, bearer, record, memory, ...holding };
}

/** Must succeed; returns the data. */
export async function succeed(sent: Promise<TestResponse>, status = 200): Promise<JsonRecord> {
  const response = await sent;
  assertEquals(response.status, status, response.text);
  return response.body.data;
}

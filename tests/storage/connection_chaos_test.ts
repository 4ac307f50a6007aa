// engines: postgres
/** Connections cut under load: no partial writes, no loss, every connection continues. */

import { assert, assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { serverTest } from "./server.ts";

const WRITES = 200;
const CUTS = 30;
/** Until one of them cuts a connection in use. */
const MAX_CUTS = 1_000;

/** Its connections can be cut. */
interface Relay extends AsyncDisposable {
  readonly port: number;
  cutOne(random: Random): void;
}

function openRelay(target: Deno.ConnectOptions): Relay {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const relayed: Promise<unknown>[] = [];
  const relay = async (client: Deno.Conn) => {
    const server = await Deno.connect(target);
    open.add(client);
    await Promise.allSettled([
      client.readable.pipeTo(server.writable),
      server.readable.pipeTo(client.writable),
    ]);
    open.delete(client);
  };
  const accepting = (async () => {
    for await (const client of listener) relayed.push(relay(client));
  })();
  return {
    port: listener.addr.port,
    cutOne(random) {
      if (open.size === 0) return;
      const client = random.pick([...open]);
      open.delete(client);
      client.close();
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const client of open) client.close();
      await Promise.all(relayed);
    },
  };
}

/** Retries 503. */
async function insist(action: () => Promise<unknown>, refused: () => void): Promise<void> {
  while (true) {
    try {
      return void await action();
    } catch (error) {
      assert(error instanceof ServiceError && error.code === "HTTP_503", `${error}`);
      refused();
    }
  }
}

/** Both halves in one transaction, in several ways. */
function writeNote(database: Database, name: string, manner: number): Promise<unknown> {
  return database.transaction(async (tx) => {
    const first = tx.sql`insert into notes values (${`${name} first`}) on conflict do nothing`;
    const second = tx.sql`insert into notes values (${`${name} second`}) on conflict do nothing`;
    switch (manner) {
      case 0:
        await Promise.all([first, second]);
        return;
      case 1:
        await first;
        return void await tx.commitWith(second);
      case 2:
        await first;
        await tx.sql`select pg_sleep(0.002)`;
        return void await second;
      default:
        first.execute();
        second.execute();
    }
  });
}

serverTest(
  "Randomly cut connections leave no partial write and block none",
  async (server) => {
    const seed = 20261121;
    const random = seededRandom(seed);
    const { hostname, port } = server.url;
    await using relay = openRelay({ hostname, port: Number(port) });
    const through = new URL(server.url);
    through.port = String(relay.port);
    const database = server.open(6, {}, through);

    let written = 0;
    let refused = 0;
    let cuts = 0;
    /** A cut while connections are made refuses nothing. */
    let isConnected = false;
    const hasCutEnough = () => cuts >= CUTS && refused > 0 || cuts === MAX_CUTS;
    const count = () => refused++;
    const writer = async () => {
      while (written < WRITES || !hasCutEnough()) {
        const name = String(++written).padStart(4, "0");
        await insist(() => writeNote(database, name, random.integer(0, 3)), count);
        await insist(() => database.read((sql) => sql`select count(*) from notes`), count);
        isConnected = true;
      }
    };
    const writers = Promise.all(Array.from({ length: 8 }, writer));
    while (!hasCutEnough()) {
      await server.rows("select pg_sleep(0.01)");
      if (!isConnected) continue;
      relay.cutOne(random);
      isConnected = false;
      cuts++;
    }
    await writers;
    const notes = new Set(await server.notes());
    assertEquals(notes.size, 2 * written, `seed ${seed}`);
    assert(refused > 0, "No connection was in use when it was cut");
    const open = await server.rows(`
    select 1 from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`);
    assertEquals(open, []);
    await database.close();
  },
);

/**
 * Writes of the client package through a proxy that cuts, delays, doubles and reorders requests.
 */

import { assertEquals } from "@std/assert";
import { Client } from "../../src/client/mod.ts";
import { type Fault, startFaultyProxy } from "./faulty_proxy.ts";
import { seededRandom } from "./random.ts";
import { type Caller, ORIGIN, type World } from "./world.ts";

const WRITERS = 20;
/** Waits of the client are that much shorter. */
const HASTE = 100;
const FAULTS: readonly Fault[] = [
  "drop before",
  "drop after",
  "half answer",
  "503 without a body",
];

/** Counts of a test run. */
export interface Journey {
  /** The requests that the proxy received. */
  readonly requests: number;
  readonly doubled: number;
}

/**
 * Writes records, each writer one after the other, and asserts that each is stored once, in order.
 */
export async function writeThroughProxy(
  world: World,
  caller: Caller,
  writes: number,
): Promise<Journey> {
  const random = seededRandom(40);
  let requests = 0;
  let doubled = 0;
  const late: Promise<unknown>[] = [];
  const deliver = async (request: Request, body: string): Promise<Response> => {
    // A request overtakes others that wait longer.
    if (random.chance(0.3)) await wait(random.integer(0, 20));
    world.advance(1);
    return await forward(world, request, body);
  };
  const serve = async (request: Request): Promise<Response> => {
    const body = await request.text();
    if (random.chance(0.2)) {
      doubled++;
      const again = wait(random.integer(0, 40)).then(() => deliver(request, body));
      late.push(again.then((response) => response.text()));
    }
    return await deliver(request, body);
  };
  const nextFault = (): Fault => {
    requests++;
    return random.chance(0.35) ? random.pick(FAULTS) : "none";
  };
  await using proxy = startFaultyProxy(serve, nextFault);
  const client = () => new Client({ origin: proxy.origin, token: caller.secret });
  await withShortWaits(async () => {
    const writers = Array.from(
      { length: WRITERS },
      (_, writer) => writeAll(client(), titlesOf(writer, writes)),
    );
    await Promise.all(writers);
    await Promise.all(late);
  });
  const titles = await readTitles(world, caller);
  for (let writer = 0; writer < WRITERS; writer++) {
    const own = titles.filter((title) => title.startsWith(`${writer} `));
    assertEquals(own, titlesOf(writer, writes));
  }
  assertEquals(titles.length, writes);
  return { requests, doubled };
}

/** The titles that a writer gives its records, in order. */
function titlesOf(writer: number, writes: number): string[] {
  const titles: string[] = [];
  for (let number = writer; number < writes; number += WRITERS) titles.push(`${writer} ${number}`);
  return titles;
}

async function forward(world: World, request: Request, body: string): Promise<Response> {
  const { method, url } = request;
  const headers = new Headers(request.headers);
  headers.delete("host");
  const { pathname, search } = new URL(url);
  const sent = { method, headers, ...body !== "" && { body } };
  return await world.app.fetch(new Request(`${ORIGIN}${pathname}${search}`, sent));
}

async function withShortWaits(run: () => Promise<void>): Promise<void> {
  const real = globalThis.setTimeout;
  globalThis.setTimeout =
    ((call: () => void, milliseconds = 0) => real(call, milliseconds / HASTE)) as typeof setTimeout;
  try {
    await run();
  } finally {
    globalThis.setTimeout = real;
  }
}

async function writeAll(prs: Client, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await prs.call("record.create", {
      path: { moduleCode: "commitment" },
      body: { title, payload: PAYLOAD },
    });
  }
}

/** Reads the titles of all records without the proxy, oldest first. */
async function readTitles(world: World, caller: Caller): Promise<string[]> {
  const direct = new Client({
    origin: ORIGIN,
    token: caller.secret,
    fetch: (url, init) => world.app.fetch(new Request(url, init)),
  });
  const query = { limit: 100, sort: "createdAt" } as const;
  const list = direct.each("record.list", { path: { moduleCode: "commitment" }, query });
  return await Array.fromAsync(list, ({ title }) => title);
}

const PAYLOAD = { commitmentType: "BORROWED", content: "Back", completionStatus: "OPEN" } as const;

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

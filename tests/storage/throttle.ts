/** A throttle over a world of its own, for the suites that ask it directly. */

import { assert } from "@std/assert";
import { type Attempt, createThrottle, type Throttle } from "../../src/accounts/throttle.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { createWorld, type World } from "../support/world.ts";

export const SECRET = new TextEncoder().encode("a server secret that only tests know");
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const HERE = "192.0.2.1";

/** A world of its own, whose clock a test may move, and the throttle over it. */
export interface ThrottleHarness extends AsyncDisposable {
  readonly world: World;
  readonly throttle: Throttle;
  /** Takes an attempt now and answers its identifier, or the seconds to wait. */
  take(email: string | null, address?: string): Promise<string | number>;
  /** Takes attempts that fail, one after the other, none of which may be refused. */
  fail(count: number, email: string | null, address?: string): Promise<void>;
  /** Takes an attempt and lets it succeed. */
  succeed(email: string | null, address?: string): Promise<void>;
}

/** Opens a throttle in a world of its own. */
export async function openHarness(): Promise<ThrottleHarness> {
  const world = await createWorld();
  const throttle = createThrottle(world.database, SECRET);
  const take = (email: string | null, address = HERE) =>
    takeFrom(throttle, { email, address, now: world.now() });
  return {
    world,
    throttle,
    take,
    async fail(count, email, address) {
      for (let failure = 1; failure <= count; failure++) {
        assertTaken(await take(email, address), `failure ${failure} of ${email} at ${address}`);
      }
    },
    async succeed(email, address) {
      const attemptId = await take(email, address);
      assertTaken(attemptId, `success of ${email} at ${address}`);
      await world.database.transaction((tx) =>
        throttle.succeeded(tx.sql, String(attemptId), email ?? NEW_EMAIL)
      );
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** The email of a set-up, which has no account yet. */
export const NEW_EMAIL = "new@example.org";

/** Takes an attempt and answers its identifier, or the seconds to wait. */
export async function takeFrom(
  throttle: Throttle,
  attempt: Attempt,
): Promise<string | number> {
  try {
    return (await throttle.take(attempt)).attemptId;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "HTTP_429") throw error;
    return Number(error.headers["Retry-After"]);
  }
}

/** Asserts that an attempt was taken. */
export function assertTaken(response: string | number, label?: string): void {
  assert(typeof response === "string", `Refused for ${response} s: ${label}`);
}

/** How many attempts the table holds. */
export async function countRows(world: World): Promise<number> {
  const [{ n }] = await world.rows("select count(*)::int as n from access_attempts");
  return n;
}

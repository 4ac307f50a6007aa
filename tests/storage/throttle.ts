/** A throttle, called directly, without attempts of other tests. */

import { assert } from "@std/assert";
import { type Attempt, createThrottle, type Throttle } from "../../src/accounts/throttle.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { processWorld, type World } from "../support/world.ts";

export const SECRET = new TextEncoder().encode("a server secret that only tests know");
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const HERE = "192.0.2.1";

/** The test may move its clock. */
export interface ThrottleHarness {
  readonly world: World;
  readonly throttle: Throttle;
  /** Returns the attempt's identifier, or the seconds to wait. */
  take(email: string | null, address?: string): Promise<string | number>;
  /** Failing attempts, none refused. */
  fail(count: number, email: string | null, address?: string): Promise<void>;
  succeed(email: string | null, address?: string): Promise<void>;
}

const shared = processWorld();

export async function openHarness(): Promise<ThrottleHarness> {
  const world = shared();
  await world.raw("delete from access_attempts");
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
  };
}

/** The email of a set-up, without an account. */
export const NEW_EMAIL = "new@example.org";

/** Returns the attempt's identifier, or the seconds to wait. */
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

export function assertTaken(response: string | number, label?: string): void {
  assert(typeof response === "string", `Refused for ${response} s: ${label}`);
}

export async function countRows(world: World): Promise<number> {
  const [{ n }] = await world.rows("select count(*)::int as n from access_attempts");
  return n;
}

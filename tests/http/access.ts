/** Accounts that can sign in, paths, cookies. */

import { assertEquals } from "@std/assert";
import { insertAccount } from "../../src/accounts/account_store.ts";
import { type PasswordCheck, PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { newId } from "../../src/core/ids.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/errors/codes.ts";
import {
  type Caller,
  CHEAP_COST,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";

export const AUTH = "/api/v2/auth";
export const PASSWORD = "correct horse battery staple";
/** The cookie name over https. */
export const COOKIE = "__Host-prs_session";
export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

export type Login = {
  readonly email: string;
  readonly password: string;
};

// Shared: its salt does not matter here.
let presentHash: Promise<string> | undefined;

/** Adds an account with `PASSWORD`, or another password's hash. */
export async function register(world: World, otherHash?: string): Promise<Login> {
  const email = `${newId(world.now()).toLowerCase()}@example.org`;
  const hash = otherHash ?? await passwordHash();
  await world.database.transaction((tx) =>
    insertAccount(tx, { email, displayName: "Someone", passwordHash: hash }, {
      requestId: newId(world.now()),
      now: world.now(),
      client: null,
    })
  );
  return { email, password: PASSWORD };
}

/** Checks no password until enough are waiting, so that they compete for places. */
export class MeetingHasher extends PasswordHasher {
  readonly #met = Promise.withResolvers<void>();
  #missing: number;

  constructor(checks: number) {
    super({ cost: CHEAP_COST });
    this.#missing = checks;
  }

  override async check(...args: Parameters<PasswordHasher["check"]>): Promise<PasswordCheck> {
    if (--this.#missing === 0) this.#met.resolve();
    await this.#met.promise;
    return await super.check(...args);
  }

  /** A response without a check releases the others. */
  async all<Response>(responses: readonly Promise<Response>[]): Promise<Response[]> {
    void Promise.race(responses).finally(() => this.#met.resolve());
    return await Promise.all(responses);
  }
}

export async function passwordHash(): Promise<string> {
  return await (presentHash ??= new PasswordHasher({ cost: CHEAP_COST }).hash(PASSWORD, "known"));
}

/** `PASSWORD`, or another hash. */
export async function givePassword(
  world: World,
  { accountId }: Caller,
  otherHash?: string,
): Promise<void> {
  const hash = otherHash ?? await passwordHash();
  await world.raw(
    `update accounts set password_hash = '${hash}' where account_id = '${accountId}'`,
  );
}

/** Disables as an operator does. */
export async function disable(world: World, { email }: Login): Promise<void> {
  await world.raw(`update accounts set disabled_at = now() where email = '${email}'`);
}

/** Omits the request id, the only allowed difference. */
export function failureOf(response: TestResponse): Json {
  const { requestId: _, ...error } = response.body.error;
  return { status: response.status, body: { ...response.body, error } };
}

/** A failure without details, except for the purpose of the proof that is needed. */
export function assertRefused(response: TestResponse, code: ErrorCode, label?: string): void {
  const { status, message } = ERROR_CODES[code];
  const purpose = response.body?.error?.details?.purpose;
  const details = code === "STEP_UP_REQUIRED" && purpose ? { details: { purpose } } : {};
  const error = { code, message, ...details };
  assertEquals(failureOf(response), { status, body: { error } }, label);
}

/** Its pair, and its attributes in order. */
export function parseSetCookie(response: TestResponse): { pair: string; attributes: string[] } {
  const [pair = "", ...attributes] = (response.headers.get("Set-Cookie") ?? "").split("; ");
  return { pair, attributes };
}

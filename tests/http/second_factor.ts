/** An authenticator, and callers who have one. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { JsonObject } from "../../src/core/json.ts";
import { proofOf } from "../support/tokens.ts";
import type { Caller, Json, TestResponse, World } from "../support/world.ts";
import { assertRefused, AUTH, givePassword, PASSWORD } from "./access.ts";

export const TOTP = `${AUTH}/totp`;
export const STEP = 30_000;
/** After this many wrong codes, right ones are refused. */
export const WRONG_CODES_LIMIT = 20;

let peers = 0;

/** Unknown to the throttle. */
export function newPeer(): string {
  return `10.1.${++peers >> 8}.${peers & 255}`;
}

/** Knows the URI and a clock; shares no code with the service. */
export class Authenticator {
  readonly issuer: string;
  readonly account: string;
  readonly #key: Promise<CryptoKey>;

  /** By the "Key Uri Format" of all authenticators. */
  constructor(uri: string) {
    const { protocol, host, pathname, searchParams } = new URL(uri);
    assertEquals([protocol, host], ["otpauth:", "totp"]);
    assertEquals(Object.fromEntries(searchParams), {
      secret: searchParams.get("secret") ?? "",
      issuer: searchParams.get("issuer") ?? "",
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    // The text before the first colon is the issuer.
    const [, prefix = "", account = ""] =
      /^(.+?):(.+)$/.exec(decodeURIComponent(pathname.slice(1))) ??
        [];
    this.issuer = searchParams.get("issuer") ?? "";
    this.account = account;
    assertEquals(prefix, this.issuer);
    const secret = decodeBase32(searchParams.get("secret") ?? "");
    const algorithm = { name: "HMAC", hash: "SHA-1" };
    this.#key = crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  }

  async codeAt(moment: Date): Promise<string> {
    const counter = new DataView(new ArrayBuffer(8));
    counter.setBigUint64(0, BigInt(Math.floor(moment.getTime() / STEP)));
    const hash = Buffer.from(await crypto.subtle.sign("HMAC", await this.#key, counter));
    const offset = (hash.at(-1) ?? 0) & 15;
    return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
  }
}

function decodeBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (character) => {
    const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character);
    assert(value >= 0, "a character that is none of base32");
    return value.toString(2).padStart(5, "0");
  }).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2));
}

/** A caller with a password and, once enrolled, a second factor. */
export interface Enrolled {
  readonly caller: Caller;
  readonly email: string;
  readonly authenticator: Authenticator;
  readonly recoveryCodes: readonly string[];
}

/** A proof as /step-up would issue it. */
export function changeProof(world: World, caller: Caller): Promise<Record<string, string>> {
  return proofOf(world, caller, "SECOND_FACTOR_CHANGE");
}

/** Requests a secret. */
export async function begin(world: World, caller: Caller): Promise<Authenticator> {
  const response = await change(world, caller, "");
  assertEquals(response.status, 200, response.text);
  return new Authenticator(response.body.data.uri);
}

export function confirm(caller: Caller, code: string, peer = newPeer()): Promise<TestResponse> {
  return caller.call("POST", `${TOTP}/confirm`, { body: { code }, peer });
}

/** Sets a password and a second factor; uses up the current step's code. */
export async function enrol(world: World, known?: Caller): Promise<Enrolled> {
  const caller = known ?? await world.createCaller();
  await givePassword(world, caller);
  const authenticator = await begin(world, caller);
  const confirmed = await confirm(caller, await authenticator.codeAt(world.now()));
  assertEquals(confirmed.status, 200, confirmed.text);
  const { recoveryCodes } = confirmed.body.data;
  return { caller, email: authenticator.account, authenticator, recoveryCodes };
}

/** Signs in with the right password. */
export function login(
  caller: Pick<World, "call">,
  { email }: Pick<Enrolled, "email">,
  more: Json = {},
  peer = newPeer(),
): Promise<TestResponse> {
  const body = { email, password: PASSWORD, transport: "bearer", ...more };
  return caller.call("POST", `${AUTH}/login`, { body, peer });
}

/** Requests a proof with the right password. */
export function stepUp(
  caller: Caller,
  more: Json = {},
  peer = newPeer(),
): Promise<TestResponse> {
  const body = { password: PASSWORD, purpose: "SECOND_FACTOR_CHANGE", ...more };
  return caller.call("POST", `${AUTH}/step-up`, { body, peer });
}

/** And back, so that `PASSWORD` stays right. */
export async function changePassword(
  world: World,
  caller: Caller,
  { password = PASSWORD, ...more }: Json = {},
  peer = newPeer(),
): Promise<TestResponse> {
  const body = { currentPassword: password, newPassword: `${PASSWORD}, new`, ...more };
  const response = await caller.call("POST", `${AUTH}/password`, { body, peer });
  if (response.status === 200) await givePassword(world, caller);
  return response;
}

/** Six digits that are not a valid code. */
export async function wrongCode(authenticator: Authenticator, now: Date): Promise<string> {
  const moments = [-STEP, 0, STEP].map((by) => new Date(now.getTime() + by));
  const codes = await Promise.all(moments.map((moment) => authenticator.codeAt(moment)));
  return ["000000", "000001", "000002", "000003"].find((code) => !codes.includes(code)) ?? "";
}

/** Each from a new address, so that the throttle refuses none. */
export async function sendWrongCodes(
  world: World,
  { email, authenticator }: Enrolled,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const code = await wrongCode(authenticator, world.now());
    assertRefused(await login(world, { email }, { code }), "AUTH_REQUIRED");
  }
}

/** As `sendWrongCodes`, but only the last two are sent; the database counts the others. */
export async function countWrongCodes(
  world: World,
  enrolled: Enrolled,
  count: number,
): Promise<void> {
  const { accountId } = enrolled.caller;
  await world.raw(`
    do $$ begin
      for counted in 3..${count} loop
        update second_factors set wrong_codes = wrong_codes + 1
         where account_id = '${accountId}' and wrong_codes < ${WRONG_CODES_LIMIT};
      end loop;
    end $$`);
  await sendWrongCodes(world, enrolled, 2);
}

/** Routes under `TOTP` that require a change proof. */
export const CHANGES = ["", "/disable", "/recovery-codes"] as const;

export async function change(
  world: World,
  caller: Caller,
  path: (typeof CHANGES)[number],
): Promise<TestResponse> {
  const headers = await changeProof(world, caller);
  return await caller.call("POST", `${TOTP}${path}`, { headers });
}

/** According to its session. */
export async function isOn(caller: Caller): Promise<boolean> {
  return (await caller.call("GET", `${AUTH}/session`)).body.data.secondFactor;
}

/** Second-factor events with credential kinds, sorted by name: times may be equal. */
export async function factorEvents(world: World, { accountId }: Caller): Promise<string[]> {
  const rows = await world.rows(`
    select event, credential_kind from access_events
     where account_id = '${accountId}' and event ~ '^(SECOND|RECOVERY)'`);
  return rows.map(({ event, credential_kind }: Json) => `${event} ${credential_kind}`).sort();
}

/** Prerequisites and bodies of successful calls. */
export const SECOND_FACTOR_FIRST: Readonly<
  Record<string, (world: World, caller: Caller) => Promise<{ readonly body?: JsonObject }>>
> = {
  async [`POST ${TOTP}/confirm`](world, caller) {
    const authenticator = await begin(world, caller);
    return { body: { code: await authenticator.codeAt(world.now()) } };
  },
  [`POST ${TOTP}/disable`]: insertFactor,
  [`POST ${TOTP}/recovery-codes`]: insertFactor,
};

/** Past the application, so that proofs stay valid. */
async function insertFactor(world: World, { accountId }: Caller): Promise<Record<never, never>> {
  await world.raw(`
    insert into second_factors (account_id, encrypted_secret, enabled_at, last_step)
    values ('${accountId}', '\\x${"00".repeat(48)}', now(), 1)`);
  return {};
}

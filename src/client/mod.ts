/**
 * A client of a personal records service: Web standards only, typed by operation, with idempotency keys and
 * retries inside.
 *
 * @example
 * ```ts
 * const prs = new Client({ origin: "https://records.example", token });
 * const { data } = await prs.call("record.list", { path: { moduleCode: "commitment" } });
 * ```
 *
 * @module
 */

export { Client } from "./client.ts";
export { Refusal, Unreachable } from "./failures.ts";
export type * from "./types.ts";

/**
 * A client of a personal records service: uses Web standards only, is typed by operation, and adds
 * idempotency keys and retries.
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
export { AccountMovedError, Refusal, Unreachable } from "./failures.ts";
export type * from "./types.ts";

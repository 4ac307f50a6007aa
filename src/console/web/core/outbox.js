/**
 * A queue of writes that could not be sent. Each keeps its Idempotency-Key, so the service does it
 * once. Usable outside the console:
 *
 *     const outbox = new Outbox({ storage, clock, lock, send });
 *     try {
 *       await send(write);
 *     } catch (error) {
 *       if (!isOutcomeUnknown(error) || !await outbox.add(write)) throw error;
 *     }
 *     const dueAt = await outbox.flush(); // at the start, when the network is back, and at `dueAt`
 *
 * `outbox_parts.d.ts` describes its parameters.
 *
 * Writes are sent in order. A rejected one, also by `SYSTEM_MAINTENANCE`, stays with its code until
 * someone has seen it.
 */

import { ApiError } from "./api.js";
import { BackOff } from "./back_off.js";
import { isOutcomeUnknown } from "./pending_request.js";

/** @typedef {import("./outbox_parts.d.ts").Write} Write */
/** @typedef {import("./outbox_parts.d.ts").QueuedWrite} QueuedWrite */
/** @typedef {import("./outbox_parts.d.ts").Parts} Parts */

export const MAX_ENTRIES = 100;
export const MAX_CHARACTERS = 2_000_000;
/** Well within the 30 days for which services remember keys. */
const KEPT_MS = 14 * 86_400_000;

/**
 * @param {Write} one
 * @param {Write} other
 */
function isSame(one, other) {
  const [first, second] = [one, other].map(({ method, path, body }) => [method, path, body]);
  return JSON.stringify(first) === JSON.stringify(second);
}

export class Outbox {
  /** @type {Parts} */
  #parts;
  #backOff = new BackOff();
  /** @type {Promise<number | null>} */
  #last = Promise.resolve(null);

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Does nothing if the write is already queued.
   *
   * @param {Write} write
   * @returns {Promise<boolean>} false if there is no room.
   * @throws {ApiError} `IDEMPOTENCY_KEY_REUSED` if another write has its key.
   */
  async add(write) {
    const kept = await this.list();
    if (kept.some((entry) => entry.key === write.key && !isSame(entry, write))) {
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", { status: 409 });
    }
    const others = kept.filter(({ key }) => key !== write.key);
    // Sorts last even if the clock went back.
    const at = Math.max(this.#parts.clock(), ...others.map((entry) => entry.at + 1));
    const entry = { ...write, at, refused: null };
    const size = JSON.stringify([...others, entry]).length;
    if (others.length >= MAX_ENTRIES || size > MAX_CHARACTERS) return false;
    try {
      await this.#parts.storage.put(entry);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Oldest first.
   *
   * @returns {Promise<readonly QueuedWrite[]>}
   */
  async list() {
    const { storage, clock } = this.#parts;
    const entries = [...await storage.read()].sort((a, b) => a.at - b.at);
    const isOld = (/** @type {QueuedWrite} */ { at }) => at < clock() - KEPT_MS;
    for (const { key } of entries.filter(isOld)) await storage.remove(key);
    return entries.filter((entry) => !isOld(entry));
  }

  /** @param {string} key The write may already have been sent. */
  async remove(key) {
    await this.#parts.storage.remove(key);
  }

  /**
   * Sends in order until the service cannot be reached.
   *
   * @returns {Promise<number | null>} when to call again; null if the queue is empty or there is no session.
   */
  flush() {
    const run = () => this.#parts.lock(() => this.#run());
    this.#last = this.#last.then(run, run);
    return this.#last;
  }

  async #run() {
    const { clock, send } = this.#parts;
    // Another tab may have changed the queue.
    for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) {
      if (clock() < this.#backOff.askedUntil) return this.#backOff.askedUntil;
      try {
        const { data } = await send(entry);
        await this.#complete(entry, null, data);
      } catch (error) {
        if (isOutcomeUnknown(error)) return this.#backOff.nextTime(clock(), error.retryAfter);
        if (!(error instanceof ApiError)) throw error;
        if (error.code === "AUTH_REQUIRED") return null;
        await this.#complete(entry, error.code, null);
      }
    }
    return null;
  }

  async #next() {
    return (await this.list()).find(({ refused }) => refused === null);
  }

  /**
   * @param {QueuedWrite} sent
   * @param {string | null} refused
   * @param {any} data
   */
  async #complete(sent, refused, data) {
    this.#backOff.end();
    const { storage, onResult } = this.#parts;
    const kept = (await storage.read()).find(({ key }) => key === sent.key);
    // Unless it was removed or replaced.
    if (JSON.stringify(kept) !== JSON.stringify(sent)) return;
    if (refused === null) await storage.remove(sent.key);
    else await storage.put({ ...sent, refused });
    onResult?.({ ...sent, refused }, data);
  }
}

/** A queue of writes that could not be sent. */

import { ApiError } from "../base/api.js";
import { KEPT_MS } from "./drafts.js";

const FIRST_WAIT_MS = 1_000;

const MAX_WAIT_MS = 300_000;

const MAX_RETRY_AFTER_MS = 3_600_000;

class BackOff {
  #failures = 0;
  /** The wait that the service asked for, which is never shortened. */
  askedUntil = 0;

  get failures() {
    return this.#failures;
  }

  end() {
    this.#failures = 0;
  }

  /** @param {number} now In milliseconds. @param {number | null} retryAfter In seconds. */
  nextTime(now, retryAfter) {
    const asked = Math.min((retryAfter ?? 0) * 1_000, MAX_RETRY_AFTER_MS);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures++, MAX_WAIT_MS);
    this.askedUntil = now + asked;
    return now + Math.max(wait, asked);
  }
}

/** Statuses of the service, or of a proxy in front of it, for "not now". */
const NOT_NOW = [408, 429, 502, 503, 504];

/**
 * A write may have been done: sending it again under the same key finds out.
 * @param {unknown} error
 * @returns {error is ApiError}
 */
export function isOutcomeUnknown(error) {
  if (!(error instanceof ApiError) || error.code === "SYSTEM_MAINTENANCE") return false;
  const { code, status } = error;
  return status < 300 || code === "IDEMPOTENCY_IN_PROGRESS" || NOT_NOW.includes(status);
}

/** How often a write is repeated that the service fails to answer: it must not stop all others. */
const MAX_FAILURES = 5;

/** @param {Pick<QueuedWrite, "path" | "answers">} write */
export function pathOf({ path, answers = [] }) {
  if (typeof path === "string") return path;
  const text = (/** @type {PathPart} */ part) =>
    typeof part === "string"
      ? part
      : encodeURIComponent(String(answers[part.answer]?.[part.member]));
  return path.map(text).join("");
}

export const MAX_ENTRIES = 100;

export const MAX_CHARACTERS = 2_000_000;

/**
 * A queue of writes that could not be sent. Each keeps its Idempotency-Key, so the service does it
 * once. They are sent in order. A rejected one, also by `SYSTEM_MAINTENANCE`, stays with its code
 * until someone has seen it.
 */
export class Outbox {
  /** @type {OutboxParts} */
  #parts;
  #backOff = new BackOff();
  /** @type {Promise<number | null>} */
  #last = Promise.resolve(null);
  /** Keys of refused writes that there was no room to mark. @type {Set<string>} */
  #unmarked = new Set();
  /** True if the last write was refused because the session had ended. */
  isSignedOut = false;

  /** @param {OutboxParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * False if there is no room.
   * @param {Write} write May be queued already.
   * @throws {ApiError} `IDEMPOTENCY_KEY_REUSED` if another write has its key.
   */
  async add(write) {
    const kept = await this.list();
    const contentOf = (/** @type {Write} */ { method, path, body }) =>
      JSON.stringify([method, path, body]);
    const same = kept.find(({ key }) => key === write.key);
    if (same !== undefined && contentOf(same) !== contentOf(write)) {
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", { status: 409 });
    }
    const others = kept.filter(({ key }) => key !== write.key);
    // Sorts last even if the clock went back.
    const at = Math.max(this.#parts.clock(), ...others.map((entry) => entry.at + 1));
    const entry = { ...write, at, refused: null };
    const size = JSON.stringify([...others, entry]).length;
    if (others.length >= MAX_ENTRIES || size > MAX_CHARACTERS) return false;
    this.#unmarked.delete(write.key);
    try {
      await this.#parts.storage.put(entry);
      return true;
    } catch {
      return false;
    }
  }

  /** @returns {Promise<readonly QueuedWrite[]>} */
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
   * Sends in order until the service cannot be reached. Returns when to call again; null if the
   * queue is empty or there is no session.
   */
  flush() {
    const run = () => this.#parts.lock(() => this.#run());
    this.#last = this.#last.then(run, run);
    return this.#last;
  }

  /** The time of the next try after a failure. @param {ApiError} error */
  timeAfter({ retryAfter }) {
    return this.#backOff.nextTime(this.#parts.clock(), retryAfter);
  }

  async #run() {
    const { clock, send } = this.#parts;
    // Another tab may have changed the queue.
    for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) {
      if (clock() < this.#backOff.askedUntil) return this.#backOff.askedUntil;
      try {
        const { data } = await send(entry);
        this.isSignedOut = false;
        await this.#complete(entry, data);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.isSignedOut = ["AUTH_REQUIRED", "ACCOUNT_MOVED"].includes(error.code);
        if (this.#isNotNow(error, entry)) return this.timeAfter(error);
        if (this.isSignedOut) return null;
        await this.#complete(entry, null, error);
      }
    }
    return null;
  }

  /** @param {ApiError} error @param {QueuedWrite} entry */
  #isNotNow(error, { line }) {
    // A form shows the reason at once, but a sent line is out of sight.
    const isPaused = error.code === "SYSTEM_MAINTENANCE" && line !== undefined;
    const isFault = error.status === 500 && this.#backOff.failures < MAX_FAILURES;
    return isPaused || isFault || isOutcomeUnknown(error);
  }

  async #next() {
    const isNext = (/** @type {QueuedWrite} */ { key, refused }) =>
      refused === null && !this.#unmarked.has(key);
    return (await this.list()).find(isNext);
  }

  /** @param {QueuedWrite} sent @param {any} data @param {ApiError} [error] */
  async #complete(sent, data, error) {
    this.#backOff.end();
    const { storage, onResult } = this.#parts;
    const kept = (await storage.read()).find(({ key }) => key === sent.key);
    // Unless it was removed or replaced.
    if (JSON.stringify(kept) !== JSON.stringify(sent)) return;
    const refused = error?.code ?? null;
    if (refused === null) await storage.remove(sent.key);
    else await this.#mark({ ...sent, refused });
    onResult?.({ ...sent, refused }, data, error);
    if (refused === null && sent.next !== undefined) await this.#follow(sent, sent.next, data);
  }

  /** @param {QueuedWrite} refused */
  async #mark(refused) {
    try {
      await this.#parts.storage.put(refused);
    } catch {
      this.#unmarked.add(refused.key);
    }
  }

  /** Queues the next write in the place of an accepted one. @type {QueueNext} */
  async #follow({ at, line, answers = [] }, next, data) {
    // Answers may be sensitive, which `brief` of other writes does not cover.
    const known = line === undefined ? {} : { answers: [...answers, data] };
    const entry = { ...next, at, refused: null, ...known };
    try {
      await this.#parts.storage.put(entry);
    } catch {
      const error = new ApiError("NO_ROOM");
      this.#parts.onResult?.({ ...entry, refused: error.code }, null, error);
    }
  }
}

/** Drafts and queued writes of this browser. */

import {
  announceChange,
  ApiError,
  draftOwner,
  isShared,
  readSession,
  send,
  thisVisit,
} from "./base.js";

/**
 * One draft per form and account, in the browser only. Sensitive fields are removed with the tab;
 * on a shared computer all of it is.
 */

const PREFIX = "draft:";
const KEPT_MS = 14 * 86_400_000;
const DELAY_MS = 300;

/**
 * @param {string} path
 * @param {Draft} draft
 * @param {ReadonlySet<string>} sensitive Names of fields that must not outlive the tab.
 * @returns {boolean} false if the browser has no room.
 */
export function keepDraft(path, draft, sensitive) {
  // A sign-out may clear the browser before a form stores its text.
  if (draftOwner() === "") return true;
  const isBrief = (/** @type {string} */ name) => isShared() || sensitive.has(name);
  const part = (/** @type {boolean} */ brief) =>
    Object.fromEntries(Object.entries(draft.texts).filter(([name]) => isBrief(name) === brief));
  try {
    sessionStorage.setItem(nameOf(path), JSON.stringify({ ...draft, texts: part(true) }));
    if (isShared()) return true;
    localStorage.setItem(nameOf(path), JSON.stringify({ ...draft, texts: part(false) }));
    return true;
  } catch {
    return false;
  }
}

/** @type {(path: string) => Draft | null} */
export function readDraft(path) {
  const [lasting, brief] = [localStorage, sessionStorage].map((place) =>
    parseStored(place.getItem(nameOf(path)))
  );
  // Text of this tab only has its own seed, independent of other tabs.
  const isOfTab = Object.keys(brief?.texts ?? {}).length > 0;
  const draft = isShared() || (lasting === null && isOfTab) ? brief : lasting;
  if (draft === null) return null;
  const { seed, sent, base } = isOfTab ? brief : draft;
  return { ...draft, seed, sent, base, texts: { ...draft.texts, ...brief?.texts } };
}

/** @param {string} path */
export function dropDraft(path) {
  for (const place of [localStorage, sessionStorage]) place.removeItem(nameOf(path));
}

/** Newest first. */
function listDrafts() {
  const place = isShared() ? sessionStorage : localStorage;
  const drafts = Object.keys(place).filter((name) => name.startsWith(nameOf(""))).map((name) => {
    const path = name.slice(nameOf("").length);
    const { at = 0, texts = {} } = readDraft(path) ?? {};
    return { path, at, isEmpty: Object.keys(texts).length === 0 };
  });
  // A draft of sensitive text only ends with its tab.
  return drafts.filter(({ isEmpty }) => !isEmpty).sort((a, b) => b.at - a.at);
}

/** @param {string} path */
function nameOf(path) {
  return `${PREFIX}${draftOwner()}:${path}`;
}

/** @param {() => void} work @param {number} [delay] */
export function delayed(work, delay = DELAY_MS) {
  let timer = 0;
  const cancel = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const now = () => {
    cancel();
    work();
  };
  return {
    cancel,
    isDue: () => timer !== 0,
    now,
    soon() {
      clearTimeout(timer);
      timer = setTimeout(now, delay);
    },
  };
}

/**
 * Whether a storage event is another tab's change of the page's draft.
 * @param {StorageEvent} event
 * @param {string} path
 */
export function isOfDraft({ key, newValue }, path) {
  return key === nameOf(path) && newValue !== null;
}

/** Removes the drafts of every account after two weeks. */
function removeOldDrafts() {
  for (const place of [localStorage, sessionStorage]) {
    for (const name of Object.keys(place).filter((name) => /^(draft|unsent):/.test(name))) {
      const at = parseStored(place.getItem(name))?.at ?? 0;
      if (at < Date.now() - KEPT_MS) place.removeItem(name);
    }
  }
}

/** @param {string | null} text */
function parseStored(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 300_000;
const MAX_RETRY_AFTER_MS = 3_600_000;

class BackOff {
  #failures = 0;
  /** The wait that the service asked for, which is never shortened. */
  askedUntil = 0;

  end() {
    this.#failures = 0;
  }

  /**
   * @param {number} now In milliseconds since 1970, as the result.
   * @param {number | null} retryAfter Seconds.
   */
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
 * Whether a write may have been done. Sending it again under the same key finds out.
 * @param {unknown} error
 * @returns {error is ApiError}
 */
export function isOutcomeUnknown(error) {
  if (!(error instanceof ApiError) || error.code === "SYSTEM_MAINTENANCE") return false;
  const { code, status } = error;
  return status < 300 || code === "IDEMPOTENCY_IN_PROGRESS" || NOT_NOW.includes(status);
}

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
 * `../logic/types.d.ts` describes its parameters.
 *
 * Writes are sent in order. A rejected one, also by `SYSTEM_MAINTENANCE`, stays with its code until
 * someone has seen it.
 */

export const MAX_ENTRIES = 100;
export const MAX_CHARACTERS = 2_000_000;
/** Well within the 30 days for which services remember keys. */
const OUTBOX_KEPT_MS = 14 * 86_400_000;

/** @param {Write} one @param {Write} other */
function isSame(one, other) {
  const [first, second] = [one, other].map(({ method, path, body }) => [method, path, body]);
  return JSON.stringify(first) === JSON.stringify(second);
}

export class Outbox {
  /** @type {OutboxParts} */
  #parts;
  #backOff = new BackOff();
  /** @type {Promise<number | null>} */
  #last = Promise.resolve(null);

  /** @param {OutboxParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Does nothing if the write is already queued.
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

  /** @returns {Promise<readonly QueuedWrite[]>} */
  async list() {
    const { storage, clock } = this.#parts;
    const entries = [...await storage.read()].sort((a, b) => a.at - b.at);
    const isOld = (/** @type {QueuedWrite} */ { at }) => at < clock() - OUTBOX_KEPT_MS;
    for (const { key } of entries.filter(isOld)) await storage.remove(key);
    return entries.filter((entry) => !isOld(entry));
  }

  /** @param {string} key The write may already have been sent. */
  async remove(key) {
    await this.#parts.storage.remove(key);
  }

  /**
   * Sends in order until the service cannot be reached.
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

  /** @param {QueuedWrite} sent @param {string | null} refused @param {any} data */
  async #complete(sent, refused, data) {
    this.#backOff.end();
    const { storage, onResult } = this.#parts;
    const kept = (await storage.read()).find(({ key }) => key === sent.key);
    // Unless it was removed or replaced.
    if (JSON.stringify(kept) !== JSON.stringify(sent)) return;
    if (refused === null) {
      await storage.remove(sent.key);
      if (sent.next !== undefined) await this.add(sent.next);
    } else await storage.put({ ...sent, refused });
    onResult?.({ ...sent, refused }, data);
  }
}

/**
 * Storage of the outbox: writes with sensitive texts stay in the tab. Stored names begin with
 * `unsent:`, also those of earlier releases.
 */

/** @param {string} prefix @returns {OutboxStorage} */
function browserStorage(prefix) {
  const places = [localStorage, sessionStorage];
  return {
    read: () =>
      places.flatMap((place) =>
        Object.keys(place).filter((name) => name.startsWith(prefix))
          .flatMap((name) => parseStored(place.getItem(name)) ?? [])
      ),
    put(entry) {
      const isBrief = entry.brief || isShared();
      const [place, other] = isBrief ? [sessionStorage, localStorage] : places;
      place?.setItem(prefix + entry.key, JSON.stringify(entry));
      other?.removeItem(prefix + entry.key);
    },
    remove(key) {
      for (const place of places) place.removeItem(prefix + key);
    },
  };
}

/**
 * One outbox per account; one tab at a time sends. Names shared with other tabs and releases
 * contain `unsent`.
 */

export { requestKey } from "./base.js";

const FIRST_TRY_MS = 1_000;
const REQUEST_TIMEOUT_MS = 60_000;

const tabs = new BroadcastChannel("unsent");
/** @type {Set<{ key: string, receive: (result: WriteResult) => void }>} */
const listeners = new Set();
/** @type {Map<string, Outbox>} */
const outboxes = new Map();
let timer = 0;

export function startOutbox() {
  removeOldDrafts();
  void flush();
}

/**
 * Sends a write, or queues it under the same key if the service cannot accept it now.
 * @param {Write} write
 * @returns {Promise<{ data: any } | null>} null if it is queued.
 * @throws {ApiError} if the service refuses it, or the browser has no room.
 */
export async function sendOrQueue(write) {
  try {
    const result = await sendWrite(write);
    await dropQueued(write.key);
    if (write.next !== undefined) await sendNext(write.next);
    return result;
  } catch (error) {
    if (!isOutcomeUnknown(error) || !await outbox().add(write)) throw error;
    announceUnsynced();
    schedule(Date.now() + FIRST_TRY_MS);
    return null;
  }
}

/** Sends a write that follows an accepted one; a refusal changes nothing. @param {Write} write */
export async function sendNext(write) {
  await sendOrQueue(write).catch((error) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

/** Oldest first. */
export async function listQueued() {
  return await outbox().list();
}

/** @param {string} key */
export async function dropQueued(key) {
  await outbox().remove(key);
  announceUnsynced();
}

function announceUnsynced() {
  dispatchEvent(new Event("unsynced"));
}

/** @param {QueuedWrite} entry */
export async function sendAgain(entry) {
  await outbox().add(entry);
  await flush();
}

/**
 * Calls back when any tab's write is sent or refused, while the current page is shown; `data` only
 * for this tab's.
 * @param {string} key
 * @param {(result: WriteResult) => void} receive
 * @returns {() => void}
 */
export function onResult(key, receive) {
  const listener = { key, receive };
  const end = () => {
    listeners.delete(listener);
  };
  listeners.add(listener);
  thisVisit().addEventListener("abort", end, { once: true });
  return end;
}

async function flush() {
  schedule(await outbox().flush());
}

/** @param {number | null} dueAt */
function schedule(dueAt) {
  clearTimeout(timer);
  if (dueAt !== null) timer = setTimeout(flush, Math.max(dueAt - Date.now(), FIRST_TRY_MS));
}

/** @param {Write} write */
async function sendWrite({ method, path, body, key }) {
  const options = { body, key, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
  const result = await send(method, path, options);
  announceChange(path);
  return result;
}

function outbox() {
  const accountId = draftOwner();
  const found = outboxes.get(accountId) ?? createOutbox(accountId);
  outboxes.set(accountId, found);
  return found;
}

/** @param {string} accountId */
function createOutbox(accountId) {
  return new Outbox({
    storage: browserStorage(`unsent:${accountId}:`),
    clock: Date.now,
    // If the browser has no locks, two tabs may send the same write: its key makes it one.
    lock: async (work) => await (navigator.locks?.request("unsent", work) ?? work()),
    async send(write) {
      // Another tab may have changed the account.
      const session = await readSession();
      if (session?.account.accountId !== accountId) throw new ApiError("AUTH_REQUIRED");
      return await sendWrite(write);
    },
    onResult({ key, page, refused }, data) {
      tabs.postMessage({ key, page, refused });
      receiveResult({ key, page, refused, data });
    },
  });
}

/** @param {WriteResult} result */
function receiveResult(result) {
  const { key, page, refused } = result;
  // A draft changed since then has another key.
  if (refused === null && readDraft(page)?.sent === key) dropDraft(page);
  for (const listener of [...listeners]) if (listener.key === key) listener.receive(result);
  announceUnsynced();
}

tabs.addEventListener("message", ({ data }) => receiveResult(data));
addEventListener("online", () => void flush());

/** Lists queued writes, and drafts without one. */
export async function listUnsynced() {
  const queued = await listQueued();
  const sent = new Set(queued.map(({ key }) => key));
  const drafts = listDrafts().filter(({ path }) => !sent.has(readDraft(path)?.sent ?? ""));
  return { queued, drafts };
}

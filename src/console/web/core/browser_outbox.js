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

const DELAY_MS = 300;
/** Well within the 30 days for which services remember keys. */
const KEPT_MS = 14 * 86_400_000;

/**
 * One draft per form and account, in the browser only. Sensitive fields are removed with the tab;
 * on a shared computer all of it is.
 * @param {string} path
 * @param {Draft} draft
 * @param {ReadonlySet<string>} sensitive Names of fields that must not outlive the tab.
 * @returns {boolean} false if the browser has no room.
 */
export function keepDraft(path, draft, sensitive) {
  // A sign-out may clear the browser before a form stores its text.
  if (draftOwner() === "") return true;
  const store = (/** @type {Storage} */ place, /** @type {boolean} */ isBrief) => {
    const kept = Object.entries(draft.texts).filter(([name]) =>
      (isShared() || sensitive.has(name)) === isBrief
    );
    const texts = Object.fromEntries(kept);
    place.setItem(nameOf(path), JSON.stringify({ ...draft, texts }));
  };
  try {
    store(sessionStorage, true);
    if (!isShared()) store(localStorage, false);
    return true;
  } catch {
    return false;
  }
}

/** @type {(path: string) => Draft | null} */
export function readDraft(path) {
  const [lasting, brief] = places().map((place) => parseStored(place, nameOf(path)));
  // Text of this tab only has its own seed, independent of other tabs.
  const isOfTab = Object.keys(brief?.texts ?? {}).length > 0;
  const draft = isShared() || (lasting === null && isOfTab) ? brief : lasting;
  if (draft === null) return null;
  const { seed, sent, base } = isOfTab ? brief : draft;
  return { ...draft, seed, sent, base, texts: { ...draft.texts, ...brief?.texts } };
}

/** @param {string} path */
export function dropDraft(path) {
  for (const place of places()) place.removeItem(nameOf(path));
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

function places() {
  return [localStorage, sessionStorage];
}

/** @param {string} path */
function nameOf(path) {
  return `draft:${draftOwner()}:${path}`;
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

/** Another tab has changed the page's draft. @param {StorageEvent} event @param {string} path */
export function isOfDraft({ key, newValue }, path) {
  return key === nameOf(path) && newValue !== null;
}

/** Removes those of every account. */
function removeOldDrafts() {
  for (const place of places()) {
    for (const name of Object.keys(place).filter((name) => /^(draft|unsent):/.test(name))) {
      const at = parseStored(place, name)?.at ?? 0;
      if (at < Date.now() - KEPT_MS) place.removeItem(name);
    }
  }
}

/** @param {Storage} place @param {string} name */
function parseStored(place, name) {
  try {
    return JSON.parse(place.getItem(name) ?? "null");
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

/** Writes with sensitive texts stay in the tab. @param {string} prefix @returns {OutboxStorage} */
function browserStorage(prefix) {
  return {
    read: () =>
      places().flatMap((place) =>
        Object.keys(place).filter((name) => name.startsWith(prefix))
          .flatMap((name) => parseStored(place, name) ?? [])
      ),
    put(entry) {
      const isBrief = entry.brief || isShared();
      const [place, other] = isBrief ? [sessionStorage, localStorage] : places();
      place?.setItem(prefix + entry.key, JSON.stringify(entry));
      other?.removeItem(prefix + entry.key);
    },
    remove(key) {
      for (const place of places()) place.removeItem(prefix + key);
    },
  };
}

export { requestKey } from "./base.js";

const FIRST_TRY_MS = 1_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Names with `unsent` are shared with other releases. */
const tabs = new BroadcastChannel("unsent");
/** @type {Set<{ key: string, receive: (result: WriteResult) => void }>} */
const listeners = new Set();
/** By account. One tab at a time sends. @type {Map<string, Outbox>} */
const outboxes = new Map();
let timer = 0;

export function startOutbox() {
  removeOldDrafts();
  void flush();
}

/**
 * Sends a write, or queues it under the same key if the service cannot accept it now: null.
 * @param {Write} write
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

export function listQueued() {
  return outbox().list();
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
 * Calls back when any tab's write is sent or refused, with `data` for this tab's only. Ends when
 * the current page is left or the returned function is called.
 * @param {string} key
 * @param {(result: WriteResult) => void} receive
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

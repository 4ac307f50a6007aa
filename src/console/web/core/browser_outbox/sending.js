/** The queue of this browser: one tab at a time sends it. */

import { ApiError } from "../base/api.js";
import { announceChange } from "../base/changes.js";
import { send } from "../base/sender.js";
import { draftOwner, isShared, readSession } from "../base/session.js";
import { thisVisit } from "../base/visits.js";
import {
  dropDraft,
  listDrafts,
  parseStored,
  places,
  readDraft,
  removeOldDrafts,
} from "./drafts.js";
import { isOutcomeUnknown, Outbox, pathOf } from "./outbox.js";

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

const FIRST_TRY_MS = 1_000;

const REQUEST_TIMEOUT_MS = 60_000;

/** Names with `unsent` are shared with other releases. */
const tabs = new BroadcastChannel("unsent");

/** @type {Set<{ key: string, receive: (result: WriteResult) => void }>} */
const listeners = new Set();

/** By account. One tab at a time sends. @type {Map<string, Outbox>} */
const outboxes = new Map();

/** Keys of lines that are sent for the first time: no message about them is needed yet. */
const fresh = new Set();

export let timer = 0;

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
    schedule(outbox().timeAfter(error));
    return null;
  }
}

/**
 * Queues a typed line last, to be sent by `flushNow`; false if there is no room.
 * @param {Write} write
 */
export async function queueLine(write) {
  for (let one = /** @type {Write | undefined} */ (write); one !== undefined; one = one.next) {
    fresh.add(one.key);
  }
  return await outbox().add(write);
}

/** Sends the queue. @throws {ApiError} `AUTH_REQUIRED` if there is no session. */
export async function flushNow() {
  await flush();
  if (outbox().isSignedOut) throw new ApiError("AUTH_REQUIRED");
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

export async function flush() {
  const dueAt = await outbox().flush();
  schedule(dueAt);
  if (dueAt === null && !outbox().isSignedOut) return;
  fresh.clear();
  announceUnsynced();
}

/** @param {number | null} dueAt */
function schedule(dueAt) {
  clearTimeout(timer);
  if (dueAt !== null) timer = setTimeout(flush, Math.max(dueAt - Date.now(), FIRST_TRY_MS));
}

/** @param {Write & { answers?: readonly any[] }} write */
export async function sendWrite(write) {
  const { method, body, key } = write;
  const path = pathOf(write);
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
      if (!fresh.has(write.key)) await assertAccount(accountId);
      return await sendWrite(write);
    },
    onResult({ key, page, refused }, data, error) {
      fresh.delete(key);
      tabs.postMessage({ key, page, refused });
      receiveResult({ key, page, refused, data, error });
    },
  });
}

/** Another tab may have changed it since the write was queued. @param {string} accountId */
async function assertAccount(accountId) {
  const session = await readSession();
  if (session?.account.accountId !== accountId) throw new ApiError("AUTH_REQUIRED");
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

/** Lists queued writes, those of them that wait or are refused, and drafts without a write. */
export async function listUnsynced() {
  const queued = await listQueued();
  const waiting = queued.filter(({ key }) => !fresh.has(key));
  const sent = new Set(queued.map(({ key }) => key));
  const drafts = listDrafts().filter(({ path }) => !sent.has(readDraft(path)?.sent ?? ""));
  return { queued, waiting, drafts };
}

/**
 * One outbox per account; one tab at a time sends. Names shared with other tabs and releases
 * contain `unsent`.
 */

import { ApiError, send } from "./api.js";
import { announceChange } from "./changes.js";
import { dropDraft, readDraft, removeOldDrafts } from "./drafts.js";
import { Outbox } from "./outbox.js";
import { browserStorage } from "./outbox_storage.js";
import { isOutcomeUnknown } from "./pending_request.js";
import { draftOwner, readSession } from "./session.js";
import { thisVisit } from "./visit.js";

export { requestKey } from "../logic/request_key.js";

/** @typedef {import("./outbox.js").QueuedWrite} QueuedWrite */
/** @typedef {{ key: string, page: string, refused: string | null, data?: any }} WriteResult */

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
 *
 * @param {import("./outbox.js").Write} write
 * @returns {Promise<{ data: any } | null>} null if it is queued.
 * @throws {ApiError} if the service refuses it, or the browser has no room.
 */
export async function sendOrQueue(write) {
  try {
    const result = await sendWrite(write);
    await dropQueued(write.key);
    return result;
  } catch (error) {
    if (!isOutcomeUnknown(error) || !await outbox().add(write)) throw error;
    announceUnsynced();
    schedule(Date.now() + FIRST_TRY_MS);
    return null;
  }
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

/** Updates the link to the drafts. */
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
 *
 * @param {string} key
 * @param {(result: WriteResult) => void} receive
 * @returns {() => void} Stops it.
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

/** @param {import("./outbox.js").Write} write */
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

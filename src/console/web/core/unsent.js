/**
 * The console's outbox: in this browser by the rules of drafts, and sent as soon as the service can be
 * reached, by one tab at a time.
 */

import { ApiError, send } from "./api.js";
import { tellChange } from "./changes.js";
import { dropDraft, readDraft, removeOldDrafts } from "./drafts.js";
import { Outbox } from "./outbox.js";
import { draftOwner, readSession } from "./session.js";
import { browserStorage } from "./unsent_storage.js";
import { isUnsettled } from "./unsettled.js";
import { thisVisit } from "./visit.js";

export { requestKey } from "../logic/request_key.js";

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {{ key: string, page: string, refused: string | null, data?: any }} Settled */

const FIRST_TRY_MS = 1_000;
/** A connection that says nothing for so long is gone. */
const SILENCE_MS = 60_000;

const tabs = new BroadcastChannel("unsent");
/** @type {Set<{ key: string, settled: (settled: Settled) => void }>} */
const listeners = new Set();
/** @type {Map<string, Outbox>} */
const outboxes = new Map();
let timer = 0;

/** Sends what the account has written in this browser before. */
export function startOutbox() {
  removeOldDrafts();
  void flush();
}

/**
 * Sends a write; where the service cannot take it now, it is kept, and sent later under the same key.
 *
 * @param {import("./outbox.js").Write} write
 * @returns {Promise<{ data: any } | null>} null where it is kept.
 * @throws {ApiError} what the service refuses, and what there is no room for.
 */
export async function sendOrKeep(write) {
  try {
    const result = await sendWrite(write);
    await dropUnsent(write.key);
    return result;
  } catch (error) {
    if (!isUnsettled(error) || !await outbox().add(write)) throw error;
    schedule(Date.now() + FIRST_TRY_MS);
    return null;
  }
}

/** What is kept in this browser, the oldest first. */
export async function listUnsent() {
  return await outbox().list();
}

/** @param {string} key */
export async function dropUnsent(key) {
  await outbox().remove(key);
}

/**
 * Lets a write that was refused wait again.
 *
 * @param {Entry} entry
 */
export async function sendAgain(entry) {
  await outbox().add(entry);
  await flush();
}

/**
 * Calls back when a write is sent or refused, in whichever tab, as long as the present page is shown; `data`
 * only where it was this tab.
 *
 * @param {string} key
 * @param {(settled: Settled) => void} settled
 * @returns {() => void} Ends it.
 */
export function onSettled(key, settled) {
  const listener = { key, settled };
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
  const options = { body, key, signal: AbortSignal.timeout(SILENCE_MS) };
  const result = await send(method, path, options);
  tellChange(path);
  return result;
}

/** That of the account which is signed in. */
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
    // Where the browser has no locks, two tabs may send the same: the key makes it one.
    lock: async (work) => await (navigator.locks?.request("unsent", work) ?? work()),
    async send(write) {
      // Another tab may have signed somebody else in.
      const session = await readSession();
      if (session?.account.accountId !== accountId) throw new ApiError("AUTH_REQUIRED");
      return await sendWrite(write);
    },
    told({ key, page, refused }, data) {
      tabs.postMessage({ key, page, refused });
      tell({ key, page, refused, data });
    },
  });
}

/** @param {Settled} settled */
function tell(settled) {
  const { key, page, refused } = settled;
  // What was written on since then is another draft.
  if (refused === null && readDraft(page)?.sent === key) dropDraft(page);
  for (const listener of [...listeners]) if (listener.key === key) listener.settled(settled);
}

tabs.addEventListener("message", ({ data }) => tell(data));
addEventListener("online", () => void flush());

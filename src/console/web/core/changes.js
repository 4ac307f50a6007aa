/** Changes in other tabs of this browser, by path, so that a form shows them before it is sent. */

const tabs = new BroadcastChannel("changes");

/** @param {string} path The path of a completed write. */
export function announceChange(path) {
  tabs.postMessage(path);
}

/**
 * Calls back when another tab has changed a thing, or something below it.
 *
 * @param {string} one The path of the thing.
 * @param {() => unknown} changed
 * @param {AbortSignal} signal Ends it.
 */
export function onChange(one, changed, signal) {
  const receive = (/** @type {MessageEvent<string>} */ { data: path }) => {
    if (`${path}/`.startsWith(`${one}/`)) void changed();
  };
  tabs.addEventListener("message", receive, { signal });
}

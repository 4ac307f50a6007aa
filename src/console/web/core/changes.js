/** Changes by path, so that a form shows another tab's changes before it is sent. */

const tabs = new BroadcastChannel("changes");

/** @param {string} path A completed write's. */
export function announceChange(path) {
  tabs.postMessage(path);
}

/**
 * Calls back when another tab has changed an object or something below its path.
 *
 * @param {string} one
 * @param {() => unknown} changed
 * @param {AbortSignal} signal Ends it.
 */
export function onChange(one, changed, signal) {
  const receive = (/** @type {MessageEvent<string>} */ { data: path }) => {
    if (`${path}/`.startsWith(`${one}/`)) void changed();
  };
  tabs.addEventListener("message", receive, { signal });
}

/** Changes of other tabs. */

/** Paths of changes, so that a form shows another tab's before it is sent. */
const tabsOfChanges = new BroadcastChannel("changes");

/** @param {string} path */
export function announceChange(path) {
  tabsOfChanges.postMessage(path);
}

/**
 * When another tab has changed an object or something below its path.
 * @param {string} one @param {() => unknown} changed @param {AbortSignal} signal
 */
export function onChange(one, changed, signal) {
  tabsOfChanges.addEventListener("message", ({ data: path }) => {
    if (`${path}/`.startsWith(`${one}/`)) void changed();
  }, { signal });
}

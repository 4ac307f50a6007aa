/** Changes of this tab and others. */

const NAME = "changes";

/** Paths of changes, so that a form shows another tab's before it is sent. */
const tabsOfChanges = new BroadcastChannel(NAME);

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

/**
 * As `onChange`, in any tab and while an element is shown.
 * @param {string} one @param {Element} element @param {() => unknown} changed
 */
export function followChanges(one, element, changed) {
  // A channel does not receive its own messages.
  const changes = new BroadcastChannel(NAME);
  changes.onmessage = ({ data: path }) => {
    if (!element.isConnected) changes.close();
    else if (`${path}/`.startsWith(`${one}/`)) void changed();
  };
}

import { h } from "./dom.js";

/**
 * The place of a button that uses a passkey. It stays empty if the browser cannot, or is offline.
 *
 * @param {(passkeys: typeof import("./passkeys.js"), place: Element) => unknown} offer
 */
export function passkeyPlace(offer) {
  const place = h("div");
  import("./passkeys.js").then((passkeys) => offer(passkeys, place), () => {});
  return place;
}

/**
 * Storage of the outbox: writes with sensitive texts stay in the tab. Stored names begin with
 * `unsent:`, also those of earlier releases.
 */

import { parseStored } from "./drafts.js";
import { isShared } from "./session.js";

/**
 * @param {string} prefix One account's.
 * @returns {import("./outbox_parts.d.ts").Storage}
 */
export function browserStorage(prefix) {
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

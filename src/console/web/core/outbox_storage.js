/**
 * Storage of the outbox, by the rules of drafts: writes with sensitive texts stay in the tab. The names that it
 * stores begin with `unsent:`, which earlier releases wrote too.
 */

import { parseStored } from "./drafts.js";
import { isShared } from "./session.js";

/**
 * @param {string} prefix Of the names of one account's entries.
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

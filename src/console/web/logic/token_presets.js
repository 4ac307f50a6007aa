/** What a new token may do: one of two presets, or one's own choice. */

/** @typedef {"read" | "capture" | "own"} Preset */

/** Without it nothing can be called. */
const BASE = "platform.operate";

/** What a program needs that puts things into the inbox, and reads nothing. */
const CAPTURE = ["attachment.write", "record.write"];

/**
 * The permissions of a token; never more than its maker has.
 *
 * @param {Preset} preset
 * @param {readonly string[]} held What the account may do.
 * @param {readonly string[]} [chosen] One's own choice.
 */
export function permissionsOf(preset, held, chosen = []) {
  const isWanted = {
    // The audit trail tells of the account, not of its records.
    read: (/** @type {string} */ name) => name.endsWith(".read") && name !== "audit.read",
    capture: (/** @type {string} */ name) => CAPTURE.includes(name),
    own: (/** @type {string} */ name) => chosen.includes(name),
  }[preset];
  return held.filter((name) => name === BASE || isWanted(name));
}

/**
 * What can be chosen, by its first word: `memory` has `read`, `write` and `secret`.
 *
 * @param {readonly string[]} held
 * @returns {Map<string, { name: string, act: string }[]>}
 */
export function choices(held) {
  const parts = held.filter((name) => name !== BASE && !isForSessions(name)).map((name) => {
    const [area = "", ...rest] = name.split(".");
    return { area, name, act: rest.join("_") };
  });
  return Map.groupBy(parts, ({ area }) => area);
}

/** What no token can do, whatever it is given: only a session manages accounts and tokens. */
function isForSessions(/** @type {string} */ name) {
  return name === "account.manage" || name === "token.manage";
}

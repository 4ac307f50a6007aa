/** The permissions of a new token: one of two presets, or a custom choice. */

/** @typedef {"read" | "capture" | "own"} Preset */

/** Without it nothing can be called. */
const BASE = "platform.operate";

/** For programs that add to the inbox and read nothing. */
const CAPTURE = ["attachment.write", "record.write"];

/**
 * The permissions of a token; never more than its creator has.
 *
 * @param {Preset} preset
 * @param {readonly string[]} held The permissions of the account.
 * @param {readonly string[]} [chosen] The custom choice.
 */
export function permissionsOf(preset, held, chosen = []) {
  const isWanted = {
    // The audit trail is about the account, not about its records.
    read: (/** @type {string} */ name) => name.endsWith(".read") && name !== "audit.read",
    capture: (/** @type {string} */ name) => CAPTURE.includes(name),
    own: (/** @type {string} */ name) => chosen.includes(name),
  }[preset];
  return held.filter((name) => name === BASE || isWanted(name));
}

/**
 * The choices by their first word: `memory` has `read`, `write` and `secret`.
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

/** Permissions that a token cannot have: only a session manages accounts and tokens. */
function isForSessions(/** @type {string} */ name) {
  return name === "account.manage" || name === "token.manage";
}

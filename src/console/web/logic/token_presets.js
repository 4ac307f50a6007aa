/** Permissions of a new token: a preset or a custom choice. */

/** Required for every call. */
const BASE = "platform.operate";

/** For programs that add to the inbox and read nothing. */
const CAPTURE = ["attachment.write", "record.write"];

/**
 * Never more than its creator has.
 * @param {TokenPreset} preset
 * @param {readonly string[]} held
 * @param {readonly string[]} [chosen] The custom choice.
 */
export function permissionsOf(preset, held, chosen = []) {
  const isWanted = {
    // The audit trail describes the account, not its records.
    read: (/** @type {string} */ name) => name.endsWith(".read") && name !== "audit.read",
    capture: (/** @type {string} */ name) => CAPTURE.includes(name),
    own: (/** @type {string} */ name) => chosen.includes(name),
  }[preset];
  return held.filter((name) => name === BASE || isWanted(name));
}

/** By first word: `memory` has `read`, `write` and `secret`. @param {readonly string[]} held */
export function choices(held) {
  const parts = held.filter((name) => name !== BASE && !isForSessions(name)).map((name) => {
    const [area = "", ...rest] = name.split(".");
    return { area, name, act: rest.join("_") };
  });
  return Map.groupBy(parts, ({ area }) => area);
}

/** Only sessions manage accounts and tokens. */
function isForSessions(/** @type {string} */ name) {
  return name === "account.manage" || name === "token.manage";
}

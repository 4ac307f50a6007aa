import { newKey, send } from "./api.js";
import { requestKey } from "../logic/request_key.js";

/**
 * @typedef {(method: string, path: string, what: { body?: unknown, proof?: string }) =>
 * Promise<import("./api.js").Result>} Send
 */

/**
 * Sends the requests of one form or button: a repetition has the same key, another body another
 * one.
 *
 * @returns {Send}
 */
export function repeatable() {
  const seed = newKey();
  return (method, path, { body, proof }) => {
    const key = requestKey(seed, { method, path, body });
    return send(method, path, { body, key, ...(proof !== undefined && { proof }) });
  };
}

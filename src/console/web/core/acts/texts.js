/** Texts of several fields, and requests that can be repeated. */

import { newKey, requestKey } from "../base/keys.js";
import { send } from "../base/sender.js";

/** @param {readonly Field[]} fields @returns {Record<string, string>} */
export function textsOf(fields) {
  return Object.fromEntries(fields.map(({ name, text }) => [name, text()]));
}

/** @param {readonly Field[]} fields @param {Texts} texts */
export function showTexts(fields, texts) {
  for (const { name, setText } of fields) setText(texts[name] ?? "");
}

/** Sends the requests of one form or button: repetitions share a key. @returns {ProvenSend} */
export function repeatable() {
  const seed = newKey();
  return (method, path, { body, proof }) =>
    send(method, path, { body, key: requestKey(seed, { method, path, body }), proof });
}

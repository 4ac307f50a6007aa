/** Asks before words are given up for good. */

import { ask } from "../core/ask.js";
import { counted } from "../core/numbers.js";
import { t } from "../core/text.js";

/**
 * @param {number} count How many fields were written in; with none, nothing is asked.
 * @param {() => Promise<unknown>} discard
 * @returns {Promise<boolean>} whether they are given up.
 */
export async function askDiscard(count, discard) {
  if (count === 0) {
    await discard();
    return true;
  }
  const text = counted(count, "oneFieldLost", "manyFieldsLost");
  return await ask({ title: t("discardQuestion"), text, action: t("discardNow") }, discard);
}

/** Asks before text is discarded. */

import { ask } from "../core/ask.js";
import { counted } from "../core/numbers.js";
import { t } from "../core/text.js";

/**
 * @param {number} count How many fields have text; with none, it does not ask.
 * @param {() => Promise<unknown>} discard
 * @returns {Promise<boolean>} true if it was discarded.
 */
export async function askDiscard(count, discard) {
  if (count === 0) {
    await discard();
    return true;
  }
  const text = counted(count, "oneFieldLost", "manyFieldsLost");
  return await ask({ title: t("discardQuestion"), text, action: t("discardNow") }, discard);
}

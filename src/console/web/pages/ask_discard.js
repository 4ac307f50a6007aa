import { ask } from "../core/ask.js";
import { counted } from "../core/numbers.js";
import { t } from "../core/text.js";

/**
 * @param {number} count Number of fields with text; asks only if there are any.
 * @param {() => Promise<unknown>} discard
 * @returns {Promise<boolean>} true if discarded.
 */
export async function askDiscard(count, discard) {
  if (count === 0) {
    await discard();
    return true;
  }
  const text = counted(count, "oneFieldLost", "manyFieldsLost");
  return await ask({ title: t("discardQuestion"), text, action: t("discardNow") }, discard);
}

/** Asks before a page is left with words that are kept nowhere. */

import { ask } from "./ask.js";
import { counted } from "./numbers.js";
import { t } from "./text.js";

/**
 * @param {number} count How many forms hold such words.
 * @returns {Promise<boolean>} whether they are given up.
 */
export async function askLeave(count) {
  const text = counted(count, "oneUnsavedForm", "manyUnsavedForms");
  return await ask({ title: t("leaveQuestion"), text, action: t("leave") }, async () => {});
}

import { ask } from "./ask.js";
import { counted } from "./numbers.js";
import { t } from "./text.js";

/**
 * @param {number} count Number of forms with unsaved text.
 * @returns {Promise<boolean>} true if it may be discarded.
 */
export async function askLeave(count) {
  const text = counted(count, "oneUnsavedForm", "manyUnsavedForms");
  return await ask({ title: t("leaveQuestion"), text, action: t("leave") }, async () => {});
}

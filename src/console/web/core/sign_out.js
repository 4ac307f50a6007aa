import { ApiError, send } from "./api.js";
import { ask } from "./ask.js";
import { keptNames } from "./kept_seals.js";
import { counted } from "./numbers.js";
import { emptyTab, tabs } from "./session.js";
import { t } from "./text.js";
import { discardForms, saveForms } from "./unsaved_forms.js";
import { listUnsynced } from "./unsynced.js";

/**
 * @returns {Promise<boolean>} whether the session has ended.
 * @throws {ApiError}
 */
export async function askSignOut() {
  const work = async () => {
    await signOut();
    discardForms();
    return true;
  };
  const inPage = await saveForms();
  const { queued, drafts } = await listUnsynced();
  const count = inPage + queued.length + drafts.length;
  if (count === 0) return await work();
  const text = counted(count, "oneUnsyncedLost", "manyUnsyncedLost");
  return await ask({ title: t("signOutQuestion"), text, action: t("signOutNow") }, work);
}

/** Settings of the device, without personal data. */
const SETTINGS = ["theme", "language", "keys", "veil"];

/**
 * Signs out in every tab, and clears the browser's storage except for settings and checked seals.
 * Reload afterwards to clear memory.
 */
async function signOut() {
  // The response clears the browser's storage.
  const kept = [...SETTINGS, ...keptNames()].map((name) => ({
    name,
    value: localStorage.getItem(name),
  }));
  try {
    await send("POST", "/api/v2/auth/logout");
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "AUTH_REQUIRED")) throw error;
  }
  localStorage.clear();
  emptyTab();
  for (const { name, value } of kept) {
    if (value !== null) localStorage.setItem(name, value);
  }
  tabs.postMessage("out");
}

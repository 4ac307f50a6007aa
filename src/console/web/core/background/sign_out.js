import { ask } from "../../fields/controls/forms.js";
import { counted } from "../../fields/shown/figures.js";
import { discardForms, saveForms } from "../acts/unsaved.js";
import { hasCode } from "../base/api.js";
import { t } from "../base/language.js";
import { send } from "../base/sender.js";
import { emptyTab, tabs } from "../base/session.js";
import { listUnsynced } from "../browser_outbox/sending.js";
import { PREFIX } from "./seals.js";

/** @returns {Promise<boolean>} */
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
  const text = counted(count, "unsyncedLost");
  return await ask({ title: t("signOutQuestion"), text, action: t("signOutNow") }, work);
}

/** Settings of the device, without personal data. */
const SETTINGS = ["theme", "language", "keys", "veil", "spelling", "smallerCopy"];

/**
 * Signs out in every tab, and clears the browser's storage except for settings and checked seals.
 * Reload afterwards to clear memory.
 */
async function signOut() {
  // The response clears the browser's storage.
  const kept = Object.entries(localStorage).filter(([name]) =>
    SETTINGS.includes(name) || name.startsWith(PREFIX)
  );
  try {
    await send("POST", "/api/v2/auth/logout");
  } catch (error) {
    // The session has ended already.
    if (!hasCode(error, "AUTH_REQUIRED") && !hasCode(error, "ACCOUNT_MOVED")) throw error;
  }
  localStorage.clear();
  emptyTab();
  for (const [name, value] of kept) localStorage.setItem(name, value);
  tabs.postMessage("out");
}

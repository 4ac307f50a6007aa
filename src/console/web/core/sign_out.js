/** The end of a session by its owner, who is asked first where words would be lost with it. */

import { act } from "./act.js";
import { ask } from "./ask.js";
import { counted } from "./numbers.js";
import { signOut } from "./session.js";
import { loadArea, t } from "./text.js";
import { forgetWords, keepWords } from "./unkept.js";
import { listUnkept } from "./unkept_list.js";

/** @returns {Promise<boolean>} whether nobody is signed in any more. */
export async function askSignOut() {
  const work = async () => {
    await signOut();
    forgetWords();
    return true;
  };
  const inPage = await keepWords();
  const { unsent, drafts } = await listUnkept();
  const count = inPage + unsent.length + drafts.length;
  if (count === 0) return await act(work) === true;
  await loadArea("records");
  const text = counted(count, "oneLost", "manyLost");
  return await ask({ title: t("signOutQuestion"), text, action: t("signOutNow") }, work);
}

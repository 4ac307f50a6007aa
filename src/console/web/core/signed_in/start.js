/** Starts everything that a first page does not need. */

import { startWatching } from "../acts/unsaved.js";
import { ApiError } from "../base/api.js";
import { announce, byId } from "../base/elements.js";
import { failureText, loadFailures } from "../base/language.js";
import { once } from "../base/timing.js";
import { loadLabels } from "../names.js";
import { DRAFTS, drawKinds, markPlace, openAdd } from "./frame.js";
import { AUTHORIZE, findPage } from "./pages.js";
import { startPrinting } from "./printing.js";

export const start = once(async () => {
  await loadLabels();
  startPrinting();
  startWatching();
  addEventListener("resize", () => markPlace(location.pathname));
  // Failures that nothing else shows. Others than the API's are also in the browser's console.
  addEventListener("unhandledrejection", async (event) => {
    const { reason } = event;
    if (reason instanceof ApiError) event.preventDefault();
    await loadFailures().catch(() => {});
    announce(failureText(reason instanceof ApiError ? reason.code : "?"));
  });
});

let hasStarted = false;

/** @param {typeof import("../browser_outbox/sending.js").listUnsynced} listUnsynced */
function watchUnsynced(listUnsynced) {
  const look = async () => {
    const { waiting: queued, drafts } = await listUnsynced();
    // The form of a draft shows it.
    const present = [location.pathname, location.pathname + location.search];
    const isWaiting = queued.length > 0 || drafts.some(({ path }) => !present.includes(path));
    const waiting = document.getElementById("waiting");
    if (waiting !== null) waiting.hidden = !isWaiting && location.pathname !== DRAFTS;
    // Their page opens without a connection, too.
    if (queued.length + drafts.length > 0) await findPage(DRAFTS)?.load();
  };
  const lookNow = () => void look().catch(() => {});
  lookNow();
  if (hasStarted) return;
  addEventListener("unsynced", lookNow);
  addEventListener("storage", lookNow);
}

/** Starts everything that a first page does not need, and loads modules for use offline. */
export async function startBackground() {
  // No key, link or notice leads away from this page.
  if (location.pathname === AUTHORIZE) return;
  if (byId("kinds").childElementCount === 0) drawKinds(new Map());
  openAsked();
  const [{ startOutbox, listUnsynced }, { showNotice, startKeys }] = await Promise.all([
    import("../browser_outbox/sending.js"),
    import("../background/index.js"),
    loadFailures(),
  ]);
  startOutbox();
  watchUnsynced(listUnsynced);
  if (sessionStorage.getItem("signedIn") !== null) void showNotice().catch(() => {});
  if (hasStarted) return;
  hasStarted = true;
  startKeys();
  addEventListener("hashchange", openAsked);
}

/** `#add` on any page opens Add, once. */
function openAsked() {
  if (location.hash !== "#add") return;
  history.replaceState(history.state, "", location.pathname + location.search);
  void openAdd();
}

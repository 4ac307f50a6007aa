/** A notice after a sign-in about events since the one before. */

import { send } from "./api.js";
import { byId, h } from "./dom.js";
import { happenings, happeningTexts } from "./happenings.js";
import { readSession } from "./session.js";
import { t, timeText } from "./text.js";

/** Set by a sign-in in this tab until the notice is shown. */
const SIGNED_IN = "signedIn";

export async function showNotice() {
  if (sessionStorage.getItem(SIGNED_IN) === null) return;
  sessionStorage.removeItem(SIGNED_IN);
  const session = await readSession();
  if (!session?.permissions.includes("audit.read")) return;
  const { data: summary } = await send("GET", "/api/v2/audit/summary");
  const happened = happenings(summary);
  if (summary.since === null || !happened.some(({ isNotable }) => isNotable)) return;
  const texts = await happeningTexts(happened);
  const id = "since-sign-in";
  const notice = h(
    "section",
    { class: "note", "aria-labelledby": id },
    h("h2", { id }, t("sinceSignIn", { time: timeText(summary.since) })),
    h("ul", {}, texts.map((text) => h("li", {}, text))),
    h("p", {}, h("a", { href: "/console/witness" }, t("seeWhatHappened"))),
  );
  byId("main").querySelector("h1")?.after(notice);
}

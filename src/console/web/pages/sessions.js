/** Where the account is signed in, and the end of it. */

import { act } from "../core/act.js";
import { announce } from "../core/announce.js";
import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { visit } from "../core/visit.js";
import { line, lines, older, pageQuery } from "../fields/lines.js";

const API = "/api/v2/auth/sessions";
const PATH = "/console/sessions";

/** @type {import("../pages.js").Page} */
export default async function sessions({ query, session }) {
  const { data } = await send("GET", `${API}?${pageQuery(query)}`);
  const own = data.items.find((/** @type {any} */ item) => item.current);
  const end = async (/** @type {string} */ path) => {
    const work = () => send("POST", `${API}/${path}`);
    if (await act(() => withSession(session.account.email, work)) === null) return;
    announce(t("ended"));
    await visit(PATH);
  };
  const items = data.items.map((/** @type {any} */ item) => {
    const name = item.client ?? t("unknownClient");
    const since = timeText(item.createdAt);
    const label = t("endSession", { name, since });
    return line(
      [h("strong", {}, name), item.current && ` · ${t("thisSession")}`],
      [
        t("signedInAt", { time: since }),
        t("lastSeen", { time: timeText(item.lastSeenAt) }),
        t("endsAt", { time: timeText(item.expiresAt) }),
        addressText(item, own),
      ],
      !item.current && h(
        "button",
        { type: "button", "aria-label": label, onclick: () => end(`${item.sessionId}/revoke`) },
        t("end"),
      ),
    );
  });
  return {
    title: t("sessions"),
    body: [
      h("p", {}, t("sessionsText")),
      lines(items, t("noneYet")),
      older(PATH, data.nextCursor),
      h("button", { type: "button", onclick: () => end("revoke-others") }, t("endOthers")),
    ],
  };
}

/**
 * Whether a session came from the address that this one came from, as far as it is known.
 *
 * @param {any} item
 * @param {any} own
 */
function addressText({ current, addressDigest }, own) {
  if (current || addressDigest === null || !own?.addressDigest) return null;
  return t(addressDigest === own.addressDigest ? "sameAddress" : "otherAddress");
}

import { actButton } from "../core/acts.js";
import { h, t, timeText } from "../core/base.js";
import { line } from "../fields/controls.js";
import { clientText } from "./client_text.js";
import { listPage } from "./list_page.js";

const API = "/api/v2/auth/sessions";
const PATH = "/console/sessions";

/** @type {Page} */
export default function sessions({ query, session }) {
  const then = { done: t("ended"), page: PATH };
  /** @type {string | null} This session's. */
  let ownAddress = null;
  const above = (/** @type {readonly any[]} */ items) => {
    ownAddress = items.find(({ current }) => current)?.addressDigest ?? null;
    return h("p", t("sessionsText"));
  };
  const sessionLine = (/** @type {any} */ item) => {
    const name = clientText(item.client);
    const since = timeText(item.createdAt);
    const label = t("endSession", { name, since });
    const path = `${API}/${item.sessionId}/revoke`;
    return line(
      [h("strong", name), item.current && ` · ${t("thisSession")}`],
      [
        t("signedInAt", { time: since }),
        t("lastSeen", { time: timeText(item.lastSeenAt) }),
        t("endsAt", { time: timeText(item.expiresAt) }),
        !item.current && addressText(item.addressDigest, ownAddress),
      ],
      !item.current && actButton(session, { ...then, path, name: t("end"), label }),
    );
  };
  const endOthers = actButton(session, {
    ...then,
    path: `${API}/revoke-others`,
    name: t("endOthers"),
  });
  return listPage(query, {
    title: t("sessions"),
    page: PATH,
    api: API,
    none: t("noneYet"),
    beside: [endOthers],
    above,
    line: sessionLine,
  });
}

/**
 * Whether two sessions share an address, if known.
 * @param {string | null} digest
 * @param {string | null} own
 */
function addressText(digest, own) {
  return digest !== null && own !== null && t(digest === own ? "sameAddress" : "otherAddress");
}

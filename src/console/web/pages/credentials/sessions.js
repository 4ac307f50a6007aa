import { actButton } from "../../core/acts/buttons.js";
import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { row } from "../../fields/controls/forms.js";
import { clientText, timeText } from "../../fields/shown/times.js";
import { listPage } from "../parts/lists.js";
import { menuButton } from "../parts/menu.js";

/** The page of each kind of credential, and its address in the API. */
const SESSIONS = { page: "/console/sessions", api: "/api/v2/auth/sessions" };

export const TOKENS = { page: "/console/tokens", api: "/api/v2/auth/tokens" };

export const ASSISTANTS = { page: "/console/assistants", api: "/api/v2/auth/assistants" };

export const FEEDS = { page: "/console/calendar", api: "/api/v2/calendar/feeds" };

/**
 * @param {Paths} place
 * @param {string} act
 * @param {string} [label] The name, if there are several.
 */
export function endButton({ api }, act, label) {
  const name = t(label === undefined ? "endOthers" : "end");
  return actButton({ path: `${api}/${act}`, name, label, done: t("ended") });
}

/**
 * A line with a symbol, and a menu of its acts.
 * @param {Setting["symbol"]} symbol
 * @param {Child} name
 * @param {readonly Child[]} facts
 * @param {{ of: string, items: readonly HTMLElement[] }} menu `of` names its line.
 */
export function credentialRow(symbol = "key", name, facts, { of, items }) {
  return row({
    anchor: h("span.anchor.symbol", icon(symbol)),
    name,
    facts,
    acts: items.length > 0 ? menuButton(icon("actions"), t("moreOf", { value: of }), items) : [],
  });
}

/** @param {string | null} time */
export function usedText(time) {
  return time === null ? t("neverUsed") : t("lastUsed", { time: timeText(time) });
}

/** @type {Page} */
export function sessions({ query }) {
  /** @type {string | undefined} */
  let ownAddress;
  const endOthers = endButton(SESSIONS, "revoke-others");
  return listPage(query, {
    ...SESSIONS,
    title: t("sessions"),
    beside: [endOthers],
    above(items) {
      endOthers.hidden = items.length < 2;
      ownAddress = items.find(({ current }) => current)?.addressDigest ?? undefined;
      return h("p", t("sessionsText"));
    },
    line({ sessionId, current, client, addressDigest, createdAt, lastSeenAt, expiresAt }) {
      const name = clientText(client);
      const since = timeText(createdAt);
      const address = addressDigest === ownAddress ? "sameAddress" : "otherAddress";
      const end = () =>
        endButton(SESSIONS, `${sessionId}/revoke`, t("endSession", { name, since }));
      return credentialRow("device", name, [
        current && h("strong", t("thisSession")),
        !current && addressDigest !== null && ownAddress !== undefined && t(address),
        !current && t("lastSeen", { time: timeText(lastSeenAt) }),
        t("signedInAt", { time: since }),
        t("endsAt", { time: timeText(expiresAt) }),
      ], { of: `${name}, ${since}`, items: current ? [] : [end()] });
    },
  });
}

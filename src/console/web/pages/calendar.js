/** The addresses under which calendar programs read what is due. */

import { actButton, withProof } from "../core/acts.js";
import { announce, ApiError, failureText, h, send, t, timeText, visit } from "../core/base.js";
import { line } from "../fields/controls.js";
import { showOnce } from "../fields/shown_once.js";
import { label } from "../core/names.js";
import { clientText } from "./client_text.js";
import { listPage } from "./list_page.js";

const API = "/api/v2/calendar/feeds";
const PATH = "/console/calendar";

/** @type {Page} */
export default async function calendar({ query, session }) {
  const place = h("div");
  const page = await listPage(query, {
    title: t("calendar"),
    page: PATH,
    api: API,
    none: t("noneYet"),
    beside: [h("a.main", { href: `${PATH}/new` }, t("newFeed"))],
    above: () => h("div", h("p", t("calendarText")), place),
    line: (feed) => feedLine(feed, session, place),
  });
  return { ...page, body: [...page.body, ...howToAdd()] };
}

/**
 * @param {CalendarFeed} feed
 * @param {Session} session
 * @param {HTMLElement} place The place of a new address.
 */
function feedLine(feed, session, place) {
  const { feedId, name, kinds, detail, createdAt, expiresAt, lastUsedAt, lastUsedBy } = feed;
  return line(
    h("strong.words", name),
    [
      label(detail),
      kinds.map(label).join(", "),
      t("createdAt", { time: timeText(createdAt) }),
      lastUsedAt === null ? t("neverUsed") : t("lastUsed", { time: timeText(lastUsedAt) }),
      lastUsedAt !== null && clientText(lastUsedBy),
      expiresAt !== null && t("endsAt", { time: timeText(expiresAt) }),
    ],
    rotateButton(feed, session, place),
    actButton(session, {
      path: `${API}/${feedId}/revoke`,
      done: t("ended"),
      page: PATH,
      name: t("end"),
      label: t("endFeed", { name }),
    }),
  );
}

/**
 * A button that asks for the password, and shows the new address once.
 * @param {CalendarFeed} feed
 * @param {Session} session
 * @param {HTMLElement} place
 */
function rotateButton({ feedId, name }, session, place) {
  const act = /** @type {const} */ ({ purpose: "TOKEN_CREATE", what: t("newAddress") });
  const rotate = async () => {
    try {
      const made = await withProof(
        session,
        { ...act, thing: name },
        (proof) => send("POST", `${API}/${feedId}/rotate`, { proof }),
      );
      if (made !== null) showOnce(place, shownAddress(made.data));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      announce(failureText(error.code));
    }
  };
  const attributes = { type: "button", "aria-label": t("newAddressOf", { name }) };
  return h("button", { ...attributes, onclick: rotate }, t("newAddress"));
}

/** The address of a feed, shown once. @param {{ name: string, address: string }} made */
export function shownAddress({ name, address }) {
  return {
    text: t("addressOnce", { name }),
    secrets: [address],
    stored: t("addressAdded"),
    done: () => visit(PATH),
  };
}

/** How each program is given an address. */
function howToAdd() {
  const programs = /** @type {const} */ ([
    ["Apple", "addApple"],
    ["Google", "addGoogle"],
    ["Thunderbird", "addThunderbird"],
    ["DAVx5, ICSx5", "addAndroid"],
  ]);
  return [
    h("h2", t("howToAdd")),
    h(
      "dl.values",
      programs.flatMap(([name, text]) => [h("dt", { translate: "no" }, name), h("dd", t(text))]),
    ),
  ];
}

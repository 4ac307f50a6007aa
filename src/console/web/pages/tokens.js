/** The personal access tokens of the account, and the end of them. */

import { act } from "../core/act.js";
import { announce } from "../core/announce.js";
import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { visit } from "../core/visit.js";
import { line, lines, older, pageQuery } from "../fields/lines.js";

const API = "/api/v2/auth/tokens";
const PATH = "/console/tokens";

/** @type {import("../pages.js").Page} */
export default async function tokens({ query, session }) {
  const { data } = await send("GET", `${API}?${pageQuery(query)}`);
  const end = async (/** @type {string} */ tokenId) => {
    const work = () => send("POST", `${API}/${tokenId}/revoke`);
    if (await act(() => withSession(session.account.email, work)) === null) return;
    announce(t("ended"));
    await visit(PATH);
  };
  const items = data.items.map((/** @type {any} */ item) =>
    line(
      [h("strong", { class: "words" }, item.name)],
      [
        t("createdAt", { time: timeText(item.createdAt) }),
        item.lastUsedAt === null
          ? t("neverUsed")
          : t("lastUsed", { time: timeText(item.lastUsedAt) }),
        t("endsAt", { time: timeText(item.expiresAt) }),
        h("span", { class: "exact" }, item.permissions.join(", ")),
      ],
      h(
        "button",
        {
          ...{ type: "button", "aria-label": t("endToken", { name: item.name }) },
          onclick: () => end(item.tokenId),
        },
        t("end"),
      ),
    )
  );
  return {
    title: t("tokens"),
    body: [
      h("p", {}, t("tokensText")),
      h("div", { class: "bar" }, h("a", { class: "main", href: `${PATH}/new` }, t("newToken"))),
      lines(items, t("noneYet")),
      older(PATH, data.nextCursor),
    ],
  };
}

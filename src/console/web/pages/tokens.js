import { actButton } from "../core/acts.js";
import { h, t, timeText } from "../core/base.js";
import { line } from "../fields/controls.js";
import { listPage } from "./list_page.js";

const API = "/api/v2/auth/tokens";
const PATH = "/console/tokens";

/** @type {Page} */
export default function tokens({ query, session }) {
  const tokenLine = (/** @type {any} */ { tokenId, name, permissions, ...times }) => {
    const { createdAt, lastUsedAt, expiresAt } = times;
    return line(
      h("strong.words", name),
      [
        t("createdAt", { time: timeText(createdAt) }),
        lastUsedAt === null ? t("neverUsed") : t("lastUsed", { time: timeText(lastUsedAt) }),
        t("endsAt", { time: timeText(expiresAt) }),
        h("span.exact", permissions.join(", ")),
      ],
      actButton(session, {
        path: `${API}/${tokenId}/revoke`,
        done: t("ended"),
        page: PATH,
        name: t("end"),
        label: t("endToken", { name }),
      }),
    );
  };
  return listPage(query, {
    title: t("tokens"),
    page: PATH,
    api: API,
    none: t("noneYet"),
    line: tokenLine,
    beside: [h("a.main", { href: `${PATH}/new` }, t("newToken"))],
    above: () => h("p", t("tokensText")),
  });
}

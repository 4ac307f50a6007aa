/** The assistants that the account lends to, and the end of them. */

import { actButton } from "../core/acts.js";
import { ApiError, h, t, timeText } from "../core/base.js";
import { line } from "../fields/controls.js";
import { label } from "../core/names.js";
import { listPage } from "./list_page.js";

const API = "/api/v2/auth/assistants";
const PATH = "/console/assistants";

/** @type {Page} */
export default async function assistants({ query, session }) {
  const assistantLine = (/** @type {any} */ { assistantId, name, modules, ...rest }) => {
    const { mayPropose, sensitive, until, lastUsedAt } = rest;
    return line(
      h("strong.words", name),
      [
        t("assistantRuns", { time: timeText(until) }),
        lastUsedAt === null
          ? t("assistantUnused")
          : t("assistantUsed", { time: timeText(lastUsedAt) }),
        t(mayPropose ? "assistantProposes" : "assistantReads"),
        sensitive === "SHOWN" && `${t("sensitiveFields")}: ${t("sensitiveShown")}`,
        modules.map(label).join(", "),
      ],
      actButton(session, {
        path: `${API}/${assistantId}/revoke`,
        done: t("assistantEnded"),
        page: PATH,
        name: t("end"),
        label: t("revokeAssistant", { name }),
      }),
    );
  };
  try {
    return await listPage(query, {
      title: t("assistants"),
      page: PATH,
      api: API,
      none: t("noneYet"),
      line: assistantLine,
      beside: links(),
      above: () => h("p", t("assistantsText")),
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === "HTTP_404") return assistantsOff();
    throw error;
  }
}

function links() {
  return [
    h("a.main", { href: `${PATH}/new` }, t("newAssistant")),
    h("a", { href: "/console/proposals" }, t("proposals")),
  ];
}

/** The page of a service without assistants; each of the links says the same. */
export function assistantsOff() {
  const bar = h("div.bar", links());
  return { title: t("assistants"), body: [bar, h("p", t("assistantsOff"))] };
}

/** Whether the audit trail was rewritten since this browser's last check, and events since. */

import { h, t, timeText } from "../core/base.js";
import { happenings, happeningTexts, keptSeals } from "../core/background.js";
import { readOrNull } from "./drafts.js";
import { checkedTrail } from "./checked_trail.js";

/** @type {Page} */
export default async function witness({ session }) {
  const { accountId } = session.account;
  const { audit, access } = keptSeals(accountId);
  // The older one: an interrupted check may have stored only one.
  const [since] = [audit, access].flatMap((head) => head?.at ?? []).sort();
  const query = since === undefined ? "" : `?${new URLSearchParams({ since })}`;
  /** @type {TrailSummary | null} */
  const summary = await readOrNull(`/api/v2/audit/summary${query}`);
  const trail = (/** @type {"audit" | "access"} */ kind, /** @type {string} */ title) => [
    h("h3", title),
    summary === null
      ? h("p", t("notChecked"))
      : checkedTrail(accountId, kind, { audit, access }[kind], summary.until),
  ];
  return {
    title: t("witness"),
    body: [
      h("p", t("witnessText")),
      h("h2", t("rewriteCheck")),
      ...trail("audit", t("recordEvents")),
      ...trail("access", t("accessEvents")),
      ...(summary === null ? [] : await whatHappened(summary)),
    ],
  };
}

/** @param {TrailSummary} summary */
async function whatHappened(summary) {
  const { since, isWhole } = summary;
  const texts = await happeningTexts(happenings(summary));
  return [
    h("h2", since === null ? t("whatHappenedFirst") : t("whatHappened", { time: timeText(since) })),
    texts.length === 0 ? h("p", t("nothingHappened")) : h("ul", texts.map((text) => h("li", text))),
    !isWhole && h("p.quiet.small", t("onlyNewest")),
    h("p", h("a", { href: "/console/audit?kind=access" }, t("seeEvents"))),
  ];
}

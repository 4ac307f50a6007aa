/** How much of each resource is in use, newest first. */

import { askButton } from "../../core/acts.js";
import { h, t, timeText } from "../../core/base.js";
import { shareText } from "../../fields/shown.js";
import { lineField } from "../../fields/controls.js";
import { listPage } from "../list_page.js";
import { OVERLOAD_API, RESOURCES } from "./resource_paths.js";

const PAGE = `${RESOURCES}/overload`;
/** Shares of capacity. */
const THRESHOLDS = /** @type {const} */ ({ warningFrom: "0.8", overloadedFrom: "1" });

/** @type {Page} */
export default async function overload({ query, session }) {
  const act = {
    path: OVERLOAD_API,
    page: PAGE,
    name: t("analyse"),
    done: t("analysed"),
    title: t("analyse"),
    text: t("overloadText"),
  };
  const labels = { warningFrom: t("warningFrom"), overloadedFrom: t("overloadedFrom") };
  const makeFields = () =>
    Object.entries(THRESHOLDS).map(([name, value]) => {
      const named = labels[/** @type {keyof typeof labels} */ (name)];
      const field = lineField({ name, label: named, required: true, inputmode: "decimal" });
      field.setText(value);
      return field;
    });
  const toBody = (/** @type {Readonly<Record<string, string>>} */ texts) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));
  return await listPage(query, {
    title: t("overload"),
    page: PAGE,
    api: OVERLOAD_API,
    none: t("noneYet"),
    beside: [
      askButton(session, act, makeFields, toBody),
      h("a", { href: RESOURCES }, t("resources")),
    ],
    line,
  });
}

/** @param {any} analysis */
function line({ executionId, counts, warningFrom, overloadedFrom, createdAt }) {
  return h(
    "li",
    h("a", { href: `${PAGE}/${executionId}` }, timeText(createdAt)),
    h(
      "span.quiet.small",
      t("overloadCounts", { ...counts }),
      " · ",
      t("overloadFrom", { warning: shareText(warningFrom), overloaded: shareText(overloadedFrom) }),
    ),
  );
}

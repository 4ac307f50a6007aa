/** How many records carry each tag and category. */

import { h, t } from "../../core/base.js";
import { counted, dayText } from "../../fields/shown.js";
import { line } from "../../fields/controls.js";
import { label } from "../../core/names.js";
import { listPage } from "../list_page.js";
import { TAGS } from "./tag_paths.js";

/** @type {Page} */
export default function usage({ query }) {
  return listPage(query, {
    title: t("tagUsage"),
    page: `${TAGS}/usage`,
    api: "/api/v2/taxonomy/usage",
    none: t("noneYet"),
    filter: {
      name: "kind",
      views: [
        { value: "", text: t("anyOf") },
        { value: "TAG", text: t("tagsAlone") },
        { value: "CATEGORY", text: t("categories") },
      ],
    },
    beside: [h("a", { href: TAGS }, t("tagsTitle"))],
    above: () => h("p", t("usageText")),
    line: usageLine,
  });
}

/** @param {TaxonomyUsage} used */
function usageLine({ termId, kind, name, active, direct, total, lastAssignedAt, modules }) {
  return line(h("a.words", { href: `${TAGS}/${termId}` }, name), [
    kind === "CATEGORY" && t("category"),
    !active && t("inactive"),
    direct === 0 ? t("notUsed") : counted(direct, "oneUse", "manyUses"),
    total > direct && t("usedBelow", { count: total - direct }),
    ...modules.map(({ moduleCode, count }) => `${label(moduleCode)}: ${count}`),
    lastAssignedAt !== null && t("lastUsedOn", { time: dayText(lastAssignedAt) }),
  ]);
}

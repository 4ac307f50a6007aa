import { h, numberText, t } from "../../core/base.js";
import { label } from "../../core/names.js";
import { listPage } from "../list_page.js";
import { archivedViews } from "../root_parts.js";
import { RESOURCES, RESOURCES_API } from "./resource_paths.js";

/** @type {Page} */
export default async function resources({ query }) {
  return await listPage(query, {
    title: t("resources"),
    page: RESOURCES,
    api: RESOURCES_API,
    filter: archivedViews(),
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      h("a.main", { href: `${RESOURCES}/new` }, t("newResource")),
      h("a", { href: `${RESOURCES}/overload` }, t("overload")),
      h("a", { href: `${RESOURCES}/network` }, t("network")),
      h("a", { href: "/console/print/resource" }, t("printView")),
    ],
    line: resourceLine,
  });
}

/** @param {any} resource */
export function resourceLine({ resourceId, resourceType, name, ...figures }) {
  return h(
    "li",
    h("a.words", { href: `${RESOURCES}/${resourceId}` }, name),
    h("span.quiet.small", [label(resourceType), ...figuresOf(figures)].join(" · ")),
  );
}

/** The known amounts. @param {any} figures */
export function figuresOf({ amount, unit, capacity, available, level }) {
  const withUnit = (/** @type {number} */ value) =>
    [numberText(value), unit].filter((part) => part !== null).join(" ");
  return [
    amount !== null && withUnit(amount),
    available !== null && capacity !== null &&
    t("availableOf", { available: numberText(available), capacity: withUnit(capacity) }),
    level !== null && t("levelOf", { level: numberText(level) }),
  ].filter((text) => text !== false);
}

/** Networks with their newest measurement. */

import { h, t, timeText } from "../../core/base.js";
import { listPage } from "../list_page.js";
import { figuresOf, resourceLine } from "./list.js";
import { NETWORK_API, RESOURCES } from "./resource_paths.js";

/** @type {Page} */
export default async function network({ query }) {
  return await listPage(query, {
    title: t("network"),
    page: `${RESOURCES}/network`,
    api: NETWORK_API,
    none: t("noneYet"),
    beside: [h("a", { href: RESOURCES }, t("resources"))],
    line,
  });
}

/** @param {any} item */
function line({ resource, latestSnapshot }) {
  const element = resourceLine(resource);
  if (latestSnapshot !== null) {
    const { observedAt } = latestSnapshot;
    element.append(
      h(
        "span.quiet.small",
        t("measuredLast", { time: timeText(observedAt) }),
        " ",
        figuresOf(latestSnapshot).join(" · "),
      ),
    );
  }
  return element;
}

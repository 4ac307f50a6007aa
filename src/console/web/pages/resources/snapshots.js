/** Newest first. They never change. */

import { h, t, timeText } from "../../core/base.js";
import { listPage } from "../list_page.js";
import { figuresOf } from "./list.js";
import { pathsOf } from "./resource_paths.js";

/** @type {Page} */
export default async function snapshots({ params, query }) {
  const { page, api } = pathsOf(params.id);
  return await listPage(query, {
    title: t("measured"),
    page: `${page}/snapshots`,
    api: `${api}/snapshots`,
    none: t("noneYet"),
    beside: [
      h("a.main", { href: `${page}/snapshots/new` }, t("newSnapshot")),
      h("a", { href: page }, t("resource")),
    ],
    line: snapshotLine,
  });
}

/** @param {any} snapshot */
export function snapshotLine({ observedAt, note, ...figures }) {
  return h(
    "li",
    h("time.quiet.small", { datetime: observedAt }, timeText(observedAt)),
    h("span", availableText(figures)),
    note !== null && h("span.words", note),
  );
}

/** @param {any} figures Available may be known without the capacity. */
function availableText({ available, capacity, ...figures }) {
  const both = figuresOf({ available, capacity, ...figures });
  const alone = [["available", available], ["capacity", capacity]]
    .filter(([, value]) => value !== null && (available === null || capacity === null))
    .map(([name, value]) => t(name === "available" ? "availableIs" : "capacityIs", { value }));
  return [...both, ...alone].join(" · ");
}

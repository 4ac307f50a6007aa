/** What has been written and not yet kept. */

import { h } from "../core/dom.js";
import { listDrafts } from "../core/drafts.js";
import { t, timeText } from "../core/text.js";
import { moduleOfPath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";

/** @type {import("../pages.js").Page} */
export default function drafts() {
  const lines = listDrafts().map(({ path, at }) => {
    const module = moduleOfPath(path);
    // The first page holds a note for the captures.
    const name = label(module ?? "capture");
    const text = t(module === null || path.endsWith("/new") ? "newOf" : "changeIn", { name });
    return h(
      "li",
      {},
      h("a", { href: path }, text),
      h("span", { class: "quiet small" }, timeText(at)),
    );
  });
  const body = lines.length === 0
    ? [h("p", { class: "quiet" }, t("noDrafts"))]
    : [h("p", {}, t("draftsText")), h("ul", { class: "lines" }, lines)];
  return { title: t("drafts"), body };
}

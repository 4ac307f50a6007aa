/** The modules, by their groups. */

import { h } from "../core/dom.js";
import { readCatalog } from "../core/catalog.js";
import { t } from "../core/text.js";
import { moduleLabel } from "../logic/labels.js";

/** @type {import("../pages.js").Page} */
export default async function home() {
  const modules = await readCatalog();
  const groups = Map.groupBy(modules, ({ group }) => group);
  const body = [...groups].flatMap(([group, members]) => [
    h("h2", {}, moduleLabel(group)),
    h(
      "ul",
      { class: "lines" },
      members.map(({ code }) =>
        h("li", {}, h("a", { href: `/console/records/${code}` }, moduleLabel(code)))
      ),
    ),
  ]);
  return { title: t("home"), body };
}

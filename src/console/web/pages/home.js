/** What is not yet kept, and the modules by their groups. */

import { readCatalog } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { listDrafts } from "../core/drafts.js";
import { t } from "../core/text.js";
import { modulePath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";

/** @type {import("../pages.js").Page} */
export default async function home() {
  const modules = await readCatalog();
  const groups = Map.groupBy(modules, ({ group }) => group);
  const drafts = listDrafts().length;
  const lists = [...groups].map(([group, members]) =>
    h(
      "section",
      {},
      h("h2", {}, label(group)),
      h(
        "ul",
        { class: "lines" },
        members.map(({ code }) => h("li", {}, h("a", { href: modulePath(code) }, label(code)))),
      ),
    )
  );
  return {
    title: t("home"),
    body: [
      drafts > 0 &&
      h(
        "p",
        { class: "note" },
        h("a", { href: "/console/drafts" }, t("openDrafts", { count: drafts })),
      ),
      h("div", { class: "groups" }, lists),
    ],
  };
}

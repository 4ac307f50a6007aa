import { readCatalog } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { counted } from "../core/numbers.js";
import { t } from "../core/text.js";
import { listUnsynced } from "../core/unsynced.js";
import { modulePath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";
import { captureBox } from "./capture_box.js";
import { dueSection } from "./due_list.js";
import { weekSection } from "./week.js";

/** @type {import("../pages.js").Page} */
export default async function home({ session }) {
  const [modules, { queued, drafts }] = await Promise.all([readCatalog(), listUnsynced()]);
  const groups = Map.groupBy(modules, ({ group }) => group);
  // This page's draft is in its box.
  const count = queued.length + drafts.filter(({ path }) => path !== "/").length;
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
      session.permissions.includes("record.write") && captureBox(session),
      count > 0 && h(
        "p",
        { class: "note" },
        h("a", { href: "/console/drafts" }, counted(count, "oneOpenDraft", "openDrafts")),
      ),
      session.permissions.includes("record.read") && dueSection(session),
      session.permissions.includes("audit.read") && weekSection(),
      h("div", { class: "groups" }, lists),
      session.permissions.includes("attachment.read") &&
      h("p", {}, h("a", { href: "/console/files" }, t("files"))),
    ],
  };
}

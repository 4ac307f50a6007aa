/** The records of a module, newest first. */

import { send } from "../core/api.js";
import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { t, timeText } from "../core/text.js";
import { label } from "../logic/labels.js";

const PAGE = 50;
const ARCHIVED = /** @type {const} */ (["exclude", "only"]);

/** @type {import("../pages.js").Page} */
export default async function records({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return { title: t("notFound"), body: [h("p", {}, t("notFoundText"))] };
  const path = `/console/records/${module.code}`;
  const archived = query.get("archived") === "only" ? "only" : "exclude";
  const asked = new URLSearchParams({ limit: String(PAGE), archived });
  const cursor = query.get("cursor");
  if (cursor !== null) asked.set("cursor", cursor);
  const { data } = await send("GET", `/api/v2/records/${module.code}?${asked}`);
  const pictures = module.code === "health" &&
    (await import("./health_pictures.js")).healthPictures(data.items);
  const views = ARCHIVED.map((view) =>
    h(
      "a",
      { href: `${path}?archived=${view}`, "aria-current": view === archived && "page" },
      t(view === "only" ? "archivedOnes" : "presentOnes"),
    )
  );
  const older = data.nextCursor === null
    ? null
    : `${path}?${new URLSearchParams({ archived, cursor: data.nextCursor })}`;
  return {
    title: label(module.code),
    body: [
      h(
        "div",
        { class: "bar" },
        module.entry === "GENERIC" &&
          h("a", { class: "main", href: `${path}/new` }, t("newRecord")),
        h("nav", { class: "bar", "aria-label": t("shown") }, views),
      ),
      pictures,
      data.items.length === 0
        ? h("p", { class: "quiet" }, t(archived === "only" ? "noneArchived" : "noneYet"))
        : h(
          "ul",
          { class: "lines" },
          data.items.map((/** @type {any} */ item) => line(path, item)),
        ),
      older !== null && h("p", {}, h("a", { href: older }, t("older"))),
    ],
  };
}

/**
 * @param {string} path
 * @param {any} item
 */
function line(path, { recordId, title, createdAt, redacted }) {
  return h(
    "li",
    {},
    h("a", { href: `${path}/${recordId}`, class: "words" }, redacted ? t("hidden") : title),
    h("time", { class: "quiet small", datetime: createdAt }, timeText(createdAt)),
  );
}

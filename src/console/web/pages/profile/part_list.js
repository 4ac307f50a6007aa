import { notFound, readModule } from "../../core/names.js";
import { h, t } from "../../core/base.js";
import { listPage } from "../list_page.js";
import { archivedViews } from "../root_parts.js";
import { IDENTITY_API, partsOf, PROFILE } from "./parts.js";

/** @type {Page} */
export default async function partList({ params, query }) {
  const name = /** @type {ProfilePartName} */ (params.part);
  const part = partsOf((await readModule("identity"))?.fields ?? [])[name];
  if (part === undefined) return notFound();
  const page = `${PROFILE}/${name}`;
  return await listPage(query, {
    title: part.title,
    page,
    api: `${IDENTITY_API}/${name}`,
    ...(part.isArchivable && { filter: archivedViews() }),
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      h("a.main", { href: `${page}/new` }, part.add),
      h("a", { href: PROFILE }, t("profile")),
    ],
    isLong: name === "roles",
    line: part.line,
  });
}

import { h, t } from "../../core/base.js";
import { listPage } from "../list_page.js";
import { notFound } from "../../core/names.js";
import { pathsOf } from "./decision_paths.js";
import { readKind } from "./kinds.js";

/** @type {Page} */
export default async function things({ params, query }) {
  const kind = readKind(params.kind);
  if (kind === null) return notFound();
  const { page, api } = pathsOf(params.id);
  const list = `${page}/${params.kind}`;
  return await listPage(query, {
    title: t(kind.title),
    page: list,
    api: `${api}/${params.kind}`,
    none: t("noneYet"),
    beside: [
      h("a.main", { href: `${list}/new` }, t(kind.add)),
      h("a", { href: page }, t("decision")),
    ],
    line: (thing) => thingLine(kind, list, thing),
  });
}

/** @param {ThingKind} kind @param {string} list @param {any} thing */
export function thingLine(kind, list, thing) {
  return h(
    "li",
    h("a.words", { href: `${list}/${thing[kind.idName]}` }, kind.nameOf(thing)),
    h("span.quiet.small", kind.fact(thing)),
  );
}

import { h, t } from "../../core/base.js";
import { valuesList } from "../../fields/shown.js";
import { rootFacts } from "../root_parts.js";
import { assignmentsPart } from "./assignments.js";
import { categoryChoices, fieldsNamed, PATCHED, pathsOf, readTerm, TAGS } from "./tag_paths.js";
import { termActs } from "./term_acts.js";

/** @type {Page} */
export default async function termPage({ params, query, session }) {
  const term = await readTerm(params.id);
  const { page } = pathsOf(term);
  const isCategory = term.kind === "CATEGORY";
  const [fields, choices, assignments] = await Promise.all([
    fieldsNamed(PATCHED),
    isCategory ? categoryChoices() : [],
    assignmentsPart(session, term, { page, cursor: query.get("cursor") }),
  ]);
  const parent = choices.find(({ value }) => value === term.parentId);
  const values = { ...term, aliases: term.aliases.length > 0 ? term.aliases : null };
  return {
    title: term.name,
    body: [
      rootFacts(term),
      term.mergedInto !== null
        ? h("p.note", h("a", { href: `${TAGS}/${term.mergedInto}` }, t("mergedHere")))
        : !term.active && h("p.note", t("inactiveText")),
      h(
        "p.quiet",
        h("a", { href: TAGS }, t("tagsTitle")),
        parent !== undefined &&
          [" › ", h("a.words", { href: `${TAGS}/${parent.value}` }, parent.label)],
      ),
      valuesList(fields, values),
      h(
        "div.bar",
        term.active && h("a.main", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        term.active && isCategory && h(
          "a",
          { href: `${TAGS}/categories/new?parent=${term.termId}` },
          t("newSubcategory"),
        ),
        ...termActs(session, term),
      ),
      ...assignments,
    ],
  };
}

/** The kind and importance of people by their category. */

import { label, readCatalog } from "../../core/names.js";
import { h, t } from "../../core/base.js";
import { choiceField, form, lineField } from "../../fields/controls.js";
import { sending } from "./sending.js";

/**
 * One category at a time; one without values is removed.
 * @param {Session} session
 * @param {any} data
 * @param {string} page
 */
export async function categoriesForm(session, data, page) {
  const people = (await readCatalog()).find(({ code }) => code === "relationship");
  const { options = [] } = people?.fields.find(({ name }) => name === "relationshipType") ?? {};
  const known = data.mapping?.categories ?? {};
  const category = lineField({
    name: "categoryInFile",
    label: t("categoryInFile"),
    required: true,
  });
  const kind = choiceField(
    { name: "relationshipType", label: label("relationshipType") },
    (options ?? []).map((value) => ({ value, label: label(value) })),
  );
  const importance = choiceField(
    { name: "importance", label: label("importance") },
    ["1", "2", "3", "4", "5"].map((value) => ({ value, label: value })),
  );
  const submit = sending(session, data, page, () => {
    const chosen = {
      ...(kind.text() !== "" && { relationshipType: kind.text() }),
      ...(importance.text() !== "" && { importance: Number(importance.text()) }),
    };
    const { [category.text().trim()]: _, ...others } = known;
    const own = Object.keys(chosen).length === 0 ? {} : { [category.text().trim()]: chosen };
    return { ...data.mapping, categories: { ...others, ...own } };
  });
  const lines = Object.entries(known).map(([name, { relationshipType, importance }]) => {
    const values = [
      ...(relationshipType === undefined ? [] : [label(relationshipType)]),
      ...(importance === undefined ? [] : [t("importanceOf", { importance })]),
    ];
    return h("li", h("span.words", name), `: ${values.join(", ")}`);
  });
  return [
    h("h2", t("categoriesTitle")),
    h("p", t("categoriesText")),
    lines.length > 0 && h("ul", lines),
    form([category, kind, importance], t("setCategory"), submit),
  ];
}

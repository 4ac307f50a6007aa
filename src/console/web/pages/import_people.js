/** Forms of an import of people: possible duplicates, and the meaning of categories. */

import { h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { readAll } from "../core/base/reads.js";
import { label, labelled, readFields } from "../core/names.js";
import { choiceField } from "../fields/controls/choices.js";
import { form } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { answered, sending } from "./import_forms.js";
import { API } from "./import_parts.js";
import { MAX_PEOPLE, questionField, readPeople } from "./import_question.js";

/** @type {MappingForm} */
export async function peopleForms(data, sample) {
  return [...await duplicatesForm(data, sample), ...await categoriesForm(data, sample)];
}

/** Answered at once. */
const MAX_ITEMS = 50;

/** @type {MappingForm} */
async function duplicatesForm(data, sample) {
  const api = `${API}/${data.importId}/items?limit=100&outcome=POSSIBLE_DUPLICATE`;
  const items = await readAll(api, MAX_ITEMS);
  if (items.length === 0) return [];
  const people = await readPeople(items.flatMap(({ matches }) => matches.slice(0, MAX_PEOPLE)));
  const questions = new Map(sample.questions.map((each) => [each.place, each]));
  const fields = items.map((item, index) => {
    const question = questions.get(item.place);
    const title = question?.title ?? t("itemAt", { place: item.place });
    return questionField(item, question, people, { index, count: items.length, title });
  });
  const submit = sending(data, () => ({
    ...data.mapping,
    duplicates: { ...data.mapping?.duplicates, ...answered(fields) },
  }));
  return [
    h("h2", t("outcomePossible")),
    h("p", t("possibleText")),
    form(fields, t("planAgain"), submit),
  ];
}

/** One category at a time; one without values is removed. @type {MappingForm} */
async function categoriesForm(data) {
  const type = (await readFields("relationship")).find(({ name }) => name === "relationshipType");
  const known = data.mapping?.categories ?? {};
  const row = { name: "categoryInFile", label: t("categoryInFile"), required: true };
  const category = lineField(row);
  const kind = choiceField(
    { name: "relationshipType", label: label("relationshipType") },
    labelled(type?.options ?? []),
  );
  const importance = choiceField(
    { name: "importance", label: label("importance") },
    labelled(["1", "2", "3", "4", "5"], String),
  );
  const submit = sending(data, () => {
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

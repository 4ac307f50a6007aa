/** Fields of a new detail. Each is named like the member of the value. */

import { readAll } from "../drafts.js";
import { t } from "../../core/base.js";
import { choiceField, lineField, linesField } from "../../fields/controls.js";
import { label } from "../../core/names.js";
import { PEOPLE_API } from "./person_paths.js";

const DATE_WORDS = ["BIRTHDAY", "ANNIVERSARY", "DEATH", "MET", "OTHER"];

/** @param {"ADDRESS" | "DATE" | "LINK" | "NAME" | "ORGANIZATION"} kind @param {string} api */
export async function fieldsOf(kind, api) {
  switch (kind) {
    case "ADDRESS":
      return [
        linesField({ name: "street", label: t("street"), sensitive: true }),
        line("postalCode", t("postalCode")),
        line("locality", t("locality")),
        line("country", t("country")),
      ];
    case "DATE":
      return [
        choiceField(
          { name: "what", label: t("whatDate"), required: true },
          DATE_WORDS.map((value) => ({ value, label: label(value) })),
        ),
        line("date", t("dateOfIt"), { hint: t("dateOfItHint"), required: true }),
      ];
    case "LINK":
      return [
        choiceField({ name: "personId", label: t("relatedPerson") }, await otherPeople(api)),
        line("name", t("relatedName")),
        line("relation", t("relation"), { hint: t("relationHint"), required: true }),
      ];
    case "NAME":
      return [
        line("given", t("givenName")),
        line("family", t("familyName")),
        line("nickname", t("nickname")),
      ];
    case "ORGANIZATION":
      return [line("name", t("organizationName")), line("title", t("jobTitle"))];
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {{ hint?: string, required?: boolean }} [more]
 */
function line(name, text, more = {}) {
  return lineField({ name, label: text, sensitive: true, words: true, ...more });
}

/** All other people, by name. @param {string} api */
async function otherPeople(api) {
  const people = await readAll(`${PEOPLE_API}?limit=100`);
  return people.filter(({ personId }) => !api.endsWith(personId))
    .map(({ personId, personName }) => ({ value: personId, label: personName }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

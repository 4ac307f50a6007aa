/** Fields of a detail, named like the members of its value. */

import { t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { label, labelled } from "../../core/names.js";
import { choiceField } from "../../fields/controls/choices.js";
import { severalField } from "../../fields/controls/forms.js";
import { lineField, linesField } from "../../fields/controls/lines.js";
import { enteredFields } from "../../fields/shown/entered.js";
import { detailDay } from "../people_entries/details.js";

const DATE_WORDS = ["BIRTHDAY", "ANNIVERSARY", "DEATH", "MET", "OTHER"];

/** Shown only if the detail has them. @type {Readonly<Record<string, readonly string[]>>} */
const FURTHER = {
  ADDRESS: ["extra", "box", "region"],
  NAME: ["prefix", "additional", "suffix", "phonetic"],
  ORGANIZATION: ["department"],
  HANDLE: ["service"],
};

/**
 * @param {string} kind
 * @param {string} personId
 * @param {any} [value] A present value, all of whose words can be corrected.
 * @returns {Promise<readonly Field[]>}
 */
export async function detailFields(kind, personId, value = {}) {
  const further = (FURTHER[kind] ?? []).filter((name) => value[name] !== undefined);
  const others = further.map((name) => wordsField(name, label(name)));
  return [...await usualFields(kind, personId), ...others];
}

/** @param {string} personId */
async function linkFields(personId) {
  const [{ pickerField }, { peopleSource }] = await Promise.all([
    import("../../fields/picker/field.js"),
    import("../../fields/picker/sources.js"),
  ]).catch(notLoaded);
  const row = { name: "personId", label: t("relatedPerson") };
  return [
    pickerField(row, peopleSource({ without: personId })),
    wordsField("name", t("relatedName")),
    wordsField("relation", t("relation"), { hint: t("relationHint"), required: true }),
  ];
}

/** @param {string} kind @param {string} personId */
function usualFields(kind, personId) {
  switch (kind) {
    case "ADDRESS":
      return [
        linesField({ name: "street", label: t("street"), sensitive: true }),
        wordsField("postalCode", t("postalCode")),
        wordsField("locality", t("locality")),
        wordsField("country", t("country")),
      ];
    case "DATE":
      return dateFields();
    case "LINK":
      return linkFields(personId);
    case "NAME":
      return [
        wordsField("given", t("givenName")),
        wordsField("family", t("familyName")),
        wordsField("nickname", t("nickname")),
      ];
    case "ORGANIZATION":
      return [wordsField("name", t("organizationName")), wordsField("title", t("title"))];
    default:
      return [wordsField("value", label(kind), { required: true })];
  }
}

const EVERY_YEAR = JSON.stringify(["true"]);

/** A new kind or name of the date sets the box to its usual state. */
async function dateFields() {
  const { personDateField } = await enteredFields();
  const kinds = labelled(DATE_WORDS);
  const what = choiceField({ name: "what", label: t("whatDate"), required: true }, kinds);
  const yearly = severalField(
    { name: "yearly", label: t("returns"), initial: EVERY_YEAR },
    [{ value: "true", label: t("everyYear") }],
  );
  const own = wordsField("label", t("dateLabel"), { hint: t("dateLabelHint") });
  for (const { element } of [what, own]) {
    element.addEventListener("change", () => {
      const returns = isYearly({
        kind: "DATE",
        value: { what: what.text(), date: "" },
        label: own.text().trim() || null,
      });
      yearly.setText(returns ? EVERY_YEAR : "");
    });
  }
  const row = { name: "date", label: t("dateOfIt"), hint: t("dateOfItHint"), required: true };
  const date = personDateField({ ...row, sensitive: true }, detailDay);
  return [what, own, date, yearly];
}

/** @type {(name: string, label: string, more?: Partial<FieldRow>) => Field} */
function wordsField(name, label, more) {
  const limits = { maximumLength: name === "label" ? 64 : 2_000 };
  return lineField({ name, label, sensitive: true, words: true, limits, ...more });
}

const YEAR = /^\d{4}$/;

/** As the service decides. @param {any} detail */
export function isYearly({ kind, value, label: own }) {
  if (kind !== "DATE" || value === null || YEAR.test(value.date)) return false;
  return value.yearly ?? (value.what === "OTHER" ? own !== null : value.what !== "MET");
}

/** A detail as texts of its fields. @param {any} detail @returns {Texts} */
export function textsOfDetail(detail) {
  const { kind, value, label: own } = detail;
  if (kind !== "DATE") return value;
  return { ...value, label: own ?? "", yearly: isYearly(detail) ? EVERY_YEAR : "" };
}

/**
 * The members of a detail that the fields state. Others of a present one stay.
 * @param {string} kind
 * @param {Texts} texts
 * @param {any} [present] A value.
 */
export function detailBody(kind, texts, present = {}) {
  const { yearly, label: own = "", ...members } = texts;
  const others = Object.entries(present).filter(([name]) => !(name in texts));
  const value = stated(members);
  const kept = Object.fromEntries(others);
  // A year alone does not return.
  return kind !== "DATE" ? { value: { ...kept, ...value } } : {
    ...stated({ label: own }),
    value: YEAR.test(value.date) ? value : { ...value, yearly: yearly !== "" },
  };
}

/** @param {Texts} texts */
function stated(texts) {
  const trimmed = Object.entries(texts).map(([name, text]) => [name, text.trim()]);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ""));
}

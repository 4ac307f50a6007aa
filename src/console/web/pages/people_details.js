/** Details of a person: sections, and forms for new ones. */

import { askButton } from "../core/acts/buttons.js";
import { lineForm } from "../core/acts/line_forms.js";
import { repeatable } from "../core/acts/texts.js";
import { announceChange } from "../core/base/changes.js";
import { h, link } from "../core/base/elements.js";
import { t, textOf } from "../core/base/language.js";
import { get, readAll } from "../core/base/reads.js";
import { label, labelled } from "../core/names.js";
import { choiceField } from "../fields/controls/choices.js";
import { severalField } from "../fields/controls/forms.js";
import { lineField, linesField } from "../fields/controls/lines.js";
import { shownFile, veiled } from "../fields/shown/files.js";
import { dateText, detailText, guessDetail } from "./people_entries/details.js";
import { entryControls } from "./people_entries/entries.js";
import { pathsOf, PEOPLE_API } from "./people_entries/ledgers.js";

const PRIVATE = { privacy: "PRIVATE" };

/** Accepts a phone number, an email or an address, then Enter. @param {Paths} paths */
function reachBox({ api }) {
  const field = lineField({
    name: "value",
    label: t("addReach"),
    hint: t("addReachHint"),
    required: true,
    sensitive: true,
    words: true,
  });
  const sendDetail = repeatable();
  const path = `${api}/details`;
  return lineForm(field, t("add"), async () => {
    await sendDetail("POST", path, { body: { ...guessDetail(field.text()), ...PRIVATE } });
    announceChange(path);
  });
}

/** The kinds of detail that the buttons add. */
const ADDED = /** @type {const} */ ([
  { title: "addAddress", kind: "ADDRESS" },
  { title: "addDate", kind: "DATE" },
  { title: "addRelation", kind: "LINK" },
  { title: "addName", kind: "NAME" },
  { title: "addWork", kind: "ORGANIZATION" },
]);

/** @param {Paths} paths */
function addButtons({ api }) {
  return ADDED.map(({ title, kind }) =>
    askButton(
      { path: `${api}/details`, name: t(title), title: t(title), done: t("kept") },
      () => fieldsOf(kind, api),
      (texts) => ({
        kind,
        ...kind === "DATE" ? dateOf(texts) : { value: stated(texts) },
        ...PRIVATE,
      }),
    )
  );
}

const YEAR = /^\d{4}$/;

/** A year alone does not return. @param {Texts} texts */
function dateOf({ yearly, label: own, ...texts }) {
  const value = stated(texts);
  return {
    ...stated({ label: own ?? "" }),
    value: YEAR.test(value.date) ? value : { ...value, yearly: yearly !== "" },
  };
}

/** As the service decides. @param {any} detail */
function isYearly({ kind, value, label: own }) {
  if (kind !== "DATE" || value === null || YEAR.test(value.date)) return false;
  return value.yearly ?? (value.what === "OTHER" ? own !== null : value.what !== "MET");
}

/** @param {Texts} texts */
function stated(texts) {
  const trimmed = Object.entries(texts).map(([name, text]) => [name, text.trim()]);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ""));
}

const SECTIONS = /** @type {const} */ ([
  { name: "waysToReach", kinds: ["PHONE", "EMAIL", "URL", "HANDLE", "ADDRESS"] },
  { name: "dates", kinds: ["DATE"] },
  { name: "relations", kinds: ["LINK"] },
  { name: "namesAndWork", kinds: ["NAME", "ORGANIZATION", "OTHER"] },
]);

/** Also reads the people that the details link to. @param {string} api */
export async function readDetails(api) {
  const details = await readAll(`${api}/details?limit=100`);
  const ids = new Set(details.flatMap(({ value }) => value?.personId ?? []));
  const people = await Promise.all([...ids].map((id) => get(pathsOf(id).api)));
  const names = new Map(people.map(({ personId, personName }) => [personId, personName]));
  return { details, names };
}

/**
 * @param {Awaited<ReturnType<typeof readDetails>>} found
 * @param {Paths} paths
 * @param {boolean} isOpen
 */
export function detailParts({ details, names }, paths, isOpen) {
  const newest = details.toReversed();
  const sections = SECTIONS.map(({ name, kinds }) => {
    const shown = kinds.flatMap((each) => newest.filter(({ kind }) => kind === each));
    const lines = shown.map((detail, index) => detailLine(detail, names, { paths, isOpen, index }));
    return lines.length > 0 && h("section", h("h2", t(name)), h("ul.lines.entries", lines));
  });
  return [
    ...sections,
    isOpen && reachBox(paths),
    isOpen && h("div.bar.entries", addButtons(paths)),
  ];
}

/**
 * @param {any} detail
 * @param {ReadonlyMap<string, string>} names
 * @param {{ paths: Paths, isOpen: boolean, index: number }} place
 */
function detailLine(detail, names, { paths: { api }, isOpen, index }) {
  const { kind, value, label: own, preferred, effectivePrivacy: privacy, detailId: id } = detail;
  const what = kind === "DATE" && value !== null ? value.what : kind;
  const when = `${label(what)} (${index + 1})`;
  const line = fileOf(detail) === undefined ? t("cardLine") : value?.property;
  const facts = [
    own ?? (kind === "OTHER" ? line : kind !== "LINK" && label(what)),
    ...wordsOf("type", value?.types),
    ...wordsOf("relation", value?.relation?.split(",")),
    isYearly(detail) && t("everyYear"),
    preferred && t("preferred"),
    privacy !== "NORMAL" && label(privacy),
  ].filter(Boolean);
  const show = () => h("div.words", detailWords(detail, names));
  return h(
    "li",
    h("p.quiet.small", facts.join(" · ")),
    detail.redacted
      ? h("p.quiet", t("hidden"))
      : privacy === "SECRET"
      ? veiled(when, show)
      : show(),
    isOpen && entryControls(detail, { api: `${api}/details`, id, when }),
  );
}

/**
 * Words of cards in the reader's language, and others as they are.
 * @param {"type" | "relation"} kind @param {readonly string[]} [words]
 */
function wordsOf(kind, words = []) {
  return words.map((word) => textOf(`${kind}.${word.trim().toLowerCase()}`, word.trim()));
}

/** The file that a detail of a card names, such as a picture. @param {any} detail */
function fileOf({ kind, value }) {
  return kind === "OTHER" ? /^attachment:(\S+)$/.exec(value?.value)?.[1] : undefined;
}

/** @param {any} detail @param {ReadonlyMap<string, string>} names */
function detailWords(detail, names) {
  const { kind, value: { personId, date }, note } = detail;
  const text = kind === "DATE" ? dateText(date) : names.get(personId) ?? detailText(detail);
  const file = fileOf(detail);
  const shown = file === undefined ? text : shownFile(file);
  return [
    h("p", personId === undefined ? shown : link(pathsOf(personId).page, text)),
    note !== null && h("p.quiet", note),
  ];
}

const DATE_WORDS = ["BIRTHDAY", "ANNIVERSARY", "DEATH", "MET", "OTHER"];

/**
 * Fields of a new detail, named like the members of its value.
 * @param {typeof ADDED[number]["kind"]} kind
 * @param {string} api
 */
async function fieldsOf(kind, api) {
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
      return [
        choiceField({ name: "personId", label: t("relatedPerson") }, await otherPeople(api)),
        wordsField("name", t("relatedName")),
        wordsField("relation", t("relation"), { hint: t("relationHint"), required: true }),
      ];
    case "NAME":
      return [
        wordsField("given", t("givenName")),
        wordsField("family", t("familyName")),
        wordsField("nickname", t("nickname")),
      ];
    case "ORGANIZATION":
      return [wordsField("name", t("organizationName")), wordsField("title", t("title"))];
  }
}

const EVERY_YEAR = JSON.stringify(["true"]);

/** A new kind or name of the date sets the box to its usual state. */
function dateFields() {
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
  const date = wordsField("date", t("dateOfIt"), { hint: t("dateOfItHint"), required: true });
  return [what, own, date, yearly];
}

/** @type {(name: string, label: string, more?: Partial<FieldRow>) => Field} */
function wordsField(name, label, more) {
  const limits = { maximumLength: name === "label" ? 64 : 2_000 };
  return lineField({ name, label, sensitive: true, words: true, limits, ...more });
}

/** @param {string} api */
async function otherPeople(api) {
  const people = await readAll(`${PEOPLE_API}?limit=100`);
  return people.filter(({ personId }) => !api.endsWith(personId))
    .map(({ personId, personName }) => ({ value: personId, label: personName }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

/** Details of a person, in sections. */

import { fill, h, link } from "../../core/base/elements.js";
import { t, textOf } from "../../core/base/language.js";
import { get, readAll } from "../../core/base/reads.js";
import { label } from "../../core/names.js";
import { isVeiling, veiled } from "../../fields/shown/files.js";
import { shownFiles } from "../../fields/shown/pictures.js";
import { dateText, detailText, isHidden } from "../people_entries/details.js";
import { pathsOf } from "../people_entries/ledgers.js";
import { addButtons, detailMenu, editButton, reachBox } from "./acts.js";
import { isYearly } from "./fields.js";

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
 * @param {any} person
 * @param {boolean} isOpen
 */
export function detailParts({ details, names }, { personId }, isOpen) {
  const paths = pathsOf(personId);
  const newest = details.toReversed();
  const sections = SECTIONS.map(({ name, kinds }) => {
    const shown = kinds.flatMap((each) => newest.filter(({ kind }) => kind === each));
    const texts = shown.map((detail) => textOfDetail(detail, names));
    const lines = shown.map((detail, index) => {
      const text = texts[index] ?? "";
      const when = `${kindText(detail)} (${index + 1})`;
      // Equal values may both be live, and a secret one is not named.
      const isUnique = texts.indexOf(text) === texts.lastIndexOf(text);
      const called = isUnique ? text : `${text} (${index + 1})`;
      const place = { api: `${paths.api}/details`, page: paths.page, when };
      return detailLine(detail, names, { ...place, name: text === "" ? when : called, isOpen });
    });
    return lines.length > 0 && h("section", h("h2", t(name)), h("ul.lines.entries.details", lines));
  });
  return [
    ...sections,
    isOpen && reachBox(paths),
    isOpen && h("div.bar.entries", addButtons(paths, personId)),
  ];
}

const MAX_NAME_LENGTH = 60;

/** A text in the name of a control. @param {string} text @param {number} [length] */
export function shortText(text, length = MAX_NAME_LENGTH) {
  return [...text.replaceAll(/\s+/g, " ").trim()].slice(0, length).join("");
}

/**
 * Empty if it is hidden until it is shown.
 * @type {(detail: any, names: ReadonlyMap<string, string>) => string}
 */
function textOfDetail(detail, names) {
  const { kind, value } = detail;
  if (isHidden(detail) || isVeiling()) return "";
  const isFile = attachmentOf(detail) !== undefined;
  return shortText(isFile ? value.property : shownText(detail, names)) || label(kind);
}

/** @param {any} detail @param {ReadonlyMap<string, string>} names @returns {string} */
function shownText(detail, names) {
  const { kind, value: { personId, date } } = detail;
  return kind === "DATE" ? dateText(date) : names.get(personId) ?? detailText(detail);
}

/** @param {any} detail */
function kindText({ kind, value }) {
  return label(kind === "DATE" && value !== null ? value.what : kind);
}

/**
 * @param {any} detail
 * @param {ReadonlyMap<string, string>} names
 * @param {DetailPlace & { isOpen: boolean }} place
 */
function detailLine(detail, names, { isOpen, ...place }) {
  const { kind, value, label: own, preferred, effectivePrivacy: privacy } = detail;
  const isFile = attachmentOf(detail) !== undefined;
  const property = isFile && (value.property === "PHOTO" ? label("PHOTO") : value.property);
  const facts = [
    own ?? (kind === "OTHER" ? property || t("cardLine") : kind !== "LINK" && kindText(detail)),
    ...wordsOf("type", value?.types),
    ...wordsOf("relation", value?.relation?.split(",")),
    isYearly(detail) && t("everyYear"),
    preferred && t("preferred"),
    privacy !== "NORMAL" && label(privacy),
  ].filter(Boolean);
  const show = () => h("div.words", detailWords(detail, names));
  return h(
    "li",
    h(
      "div",
      h("p.quiet.small", facts.join(" · ")),
      detail.redacted
        ? h("p.quiet", t("hidden"))
        : privacy === "SECRET" || isVeiling()
        ? veiled(place.when, show)
        : show(),
    ),
    isOpen && h(
      "div.bar.small",
      !detail.redacted && !isFile && editButton(detail, place),
      ...detailMenu(detail, place),
    ),
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
export function attachmentOf({ kind, value }) {
  return kind === "OTHER" ? /^attachment:(\S+)$/.exec(value?.value)?.[1] : undefined;
}

/** @param {any} detail @param {ReadonlyMap<string, string>} names */
function detailWords(detail, names) {
  const { value: { personId }, note } = detail;
  const file = attachmentOf(detail);
  const text = file === undefined ? shownText(detail, names) : "";
  const shown = file === undefined ? linkedText(detail, text) : h("span", shownFiles([file]));
  return [
    h("p", personId === undefined ? shown : link(pathsOf(personId).page, text)),
    note !== null && h("p.quiet", note),
  ];
}

/**
 * A web address becomes a link when the module for links is loaded. The service of a handle follows
 * it.
 * @type {LinkedText}
 */
function linkedText({ kind, value: { value } }, text) {
  if (!["URL", "HANDLE"].includes(kind) || !/^(?:https?:|www\.)/i.test(value)) return text;
  const place = h("span", text);
  import("../../fields/markdown/places.js").then(
    ({ addressOrWords }) => fill(place, addressOrWords(value), text.slice(value.length)),
    () => {},
  );
  return place;
}

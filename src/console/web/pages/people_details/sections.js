/** Details of a person, in sections. */

import { fill, h, link } from "../../core/base/elements.js";
import { t, textOf } from "../../core/base/language.js";
import { get, readAll } from "../../core/base/reads.js";
import { label } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { counted } from "../../fields/shown/figures.js";
import { isVeiling, veiled } from "../../fields/shown/files.js";
import { shownFiles } from "../../fields/shown/pictures.js";
import { dateText, detailText, isHidden } from "../people_entries/details.js";
import { isOpen, pathsOf } from "../people_entries/ledgers.js";
import { addMenu, detailMenu, editButton, reachBox } from "./acts.js";
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
 * Lines of details, and the section of those that are not on the card.
 * @param {Awaited<ReturnType<typeof readDetails>>} found
 * @param {any} person
 * @param {readonly Way[]} ways Those on the card.
 */
export function detailParts({ details, names }, person, ways) {
  const paths = pathsOf(person.personId);
  const newest = details.toReversed();
  /** @type {Map<any, { name: string, when: string }>} */
  const named = new Map();
  const sections = SECTIONS.map(({ name, kinds }) => {
    const shown = kinds.flatMap((each) => newest.filter(({ kind }) => kind === each));
    const texts = shown.map((detail) => textOfDetail(detail, names));
    for (const [index, detail] of shown.entries()) {
      const text = texts[index] ?? "";
      const when = `${kindText(detail)} (${index + 1})`;
      // Equal values may both be live, and a secret one is not named.
      const isUnique = texts.indexOf(text) === texts.lastIndexOf(text);
      const called = isUnique ? text : `${text} (${index + 1})`;
      named.set(detail, { when, name: text === "" ? when : called });
    }
    return { name, shown };
  });
  const about = { api: `${paths.api}/details`, page: paths.page, isOpen: isOpen(person) };
  /** @type {CardParts["lineOf"]} */
  const lineOf = (detail, way) => {
    const { name, when } = named.get(detail) ?? { name: "", when: "" };
    return detailLine(detail, names, { ...about, name, when }, way);
  };
  const listed = new Set(details);
  for (const { detail } of ways) listed.delete(detail);
  const listOf = (/** @type {readonly any[]} */ shown) =>
    h("ul.lines.details", shown.map((detail) => lineOf(detail)));
  const parts = sections.map(({ name, shown }) => {
    const rest = shown.filter((detail) => listed.has(detail) && detail.kind !== "OTHER");
    return rest.length > 0 && h("div", h("h3", t(name)), listOf(rest));
  });
  const cardLines = newest.filter(({ kind }) => kind === "OTHER");
  return { lineOf, parts: [...parts, cardLines.length > 0 && foldedLines(cardLines, listOf)] };
}

/** Pictures and lines of cards, which few want to read. @type {FoldedLines} */
function foldedLines(lines, listOf) {
  return h("details", h("summary.quiet", counted(lines.length, "cardLines")), listOf(lines));
}

/** @param {any} person @param {readonly Child[]} parts */
export function detailsSection(person, parts) {
  const paths = pathsOf(person.personId);
  const open = isOpen(person);
  if (!open && !parts.some(Boolean)) return null;
  return h(
    "section.together",
    h("div.bar.heading", h("h2", t("details")), open && addMenu(paths, person.personId)),
    ...parts,
    open && reachBox(paths),
  );
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
 * @param {Way} [way] On the card, which veils all of them at once.
 */
function detailLine(detail, names, place, way) {
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
  const [first, ...others] = way?.links ?? [];
  const show = () => h("div.words", detailWords(detail, names, first));
  const isVeiled = way === undefined && (privacy === "SECRET" || isVeiling());
  const shown = isVeiled ? veiled(place.when, show) : show();
  return row({
    name: detail.redacted ? h("p.quiet", t("hidden")) : shown,
    facts: [facts.join(" · ")],
    acts: [
      place.isOpen && !detail.redacted && !isFile && editButton(detail, place),
      ...detailMenu(detail, place, way?.isFirst ? [] : others),
    ],
  });
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

/** @param {any} detail @param {ReadonlyMap<string, string>} names @param {WayLink} [way] */
function detailWords(detail, names, way) {
  const { value: { personId }, note } = detail;
  const file = attachmentOf(detail);
  const text = file === undefined ? shownText(detail, names) : "";
  const shown = file === undefined ? linkedText(detail, text) : h("span", shownFiles([file]));
  if (way) return h("a", { href: way.href, "aria-label": way.name }, text);
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

/** A possible duplicate: its card, and the people and cards that it may repeat. */

import { fill, h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get, readOrNull } from "../core/base/reads.js";
import { label } from "../core/names.js";
import { choiceField } from "../fields/controls/choices.js";
import { counted } from "../fields/shown/figures.js";
import { targetText } from "./import_parts.js";
import { contactParts, dateText, detailText } from "./people_entries/details.js";
import { isOpen, pathsOf } from "./people_entries/ledgers.js";

/** Kinds of details in a card, in this order. */
const KINDS = ["PHONE", "EMAIL", "ADDRESS", "DATE", "ORGANIZATION", "NAME", "URL", "HANDLE"];

/** Details named above the cards. */
const MAX_SHARED = 5;

/** Maximum people shown for a card. */
export const MAX_PEOPLE = 10;

/** @param {ImportedDetail} one @param {ImportedDetail} other */
export function isSameDetail(one, other) {
  if (one.kind !== other.kind) return false;
  if (one.kind === "PHONE") return isSameNumber(one.value.value, other.value.value);
  const [text, otherText] = [one, other].map((each) =>
    detailText(each).trim().replaceAll(/\s+/g, " ").toLowerCase()
  );
  return text === otherText && one.value.what === other.value.what;
}

/** @param {ImportedDetail} detail @param {readonly QuestionCard[]} cards */
function isAmong(detail, cards) {
  return cards.some(({ details }) => details.some((other) => isSameDetail(detail, other)));
}

/** As the service compares numbers. @param {string} one @param {string} other */
function isSameNumber(one, other) {
  const [national = "", number = ""] = [one, other].map(comparedNumber).sort().toReversed();
  if (national.startsWith("+") === number.startsWith("+")) {
    return national === number && national.replace("+", "").length >= 6;
  }
  const country = number.length - 1 - national.length;
  return national.length >= 7 && country >= 1 && country <= 3 && number.endsWith(national);
}

/** The digits before an extension; after `+` with a country code. @param {string} text */
function comparedNumber(text) {
  const own = text.replace(/^\s*tel:/i, "").split(/[;,#\p{L}]/u, 1)[0] ?? "";
  const [, prefix, rest = ""] = /^(\+|00?)?(.*)$/.exec(own.replaceAll(/[^\d+]/g, "")) ?? [];
  return `${prefix === "+" || prefix === "00" ? "+" : ""}${rest.replaceAll("+", "")}`;
}

/**
 * The people with whom items share something, with their details.
 * @param {readonly string[]} ids
 * @returns {Promise<Map<string, KnownPerson>>}
 */
export async function readPeople(ids) {
  const read = [...new Set(ids)].map(async (id) => {
    const { api } = pathsOf(id);
    // Null for a person who was erased since.
    const person = await readOrNull(api);
    if (person === null) return [];
    const { items } = await get(`${api}/details?limit=100`);
    const isHidden = (/** @type {any} */ each) =>
      each.redacted || each.effectivePrivacy === "SECRET";
    return [{ person, details: items.filter((/** @type {any} */ each) => !isHidden(each)) }];
  });
  const people = (await Promise.all(read)).flat();
  return new Map(people.map((known) => [known.person.personId, known]));
}

/**
 * The choices about an item, below the cards. Nothing is chosen at first.
 * @param {any} item
 * @param {ImportQuestion | undefined} question Only the first items have one.
 * @param {ReadonlyMap<string, KnownPerson>} people
 * @param {{ index: number, count: number, title: string }} place
 */
export function questionField({ key, target, rules, matches }, question, people, place) {
  const known = matches.slice(0, MAX_PEOPLE).flatMap((/** @type {string} */ id) =>
    people.get(id) ?? []
  );
  const earlier = question?.earlier ?? null;
  const others = [
    ...known.map(personCard),
    ...earlier === null ? [] : [fileCard(t("earlierInFile"), earlier, target)],
  ];
  // A shared name alone does not raise a question.
  const shared = (question?.details ?? []).filter((detail) =>
    detail.kind !== "NAME" && isAmong(detail, others)
  );
  const values = shared.slice(0, MAX_SHARED).map(wordsOf).join(" · ");
  const isRepeated = rules.includes("import.key_repeated");
  const why = [
    isRepeated && t("sameKey"),
    values !== "" ? t("inBoth", { values }) : !isRepeated && t("sharedUnseen"),
  ].filter(Boolean).join(" ");
  const field = choiceField(
    { name: key, label: place.title, hint: why, none: t("notDecided") },
    [
      ...target === "person" ? joinChoices(known, question) : [],
      { value: "new", label: t(target === "person" ? "asNewPerson" : "asNewEntry") },
      { value: "leave", label: t("leaveOut") },
    ],
  );
  const position = t("doneOf", { done: place.index + 1, total: place.count });
  const name = [h("span.words", place.title), h("span.quiet.small", ` ${position}`)];
  const heading = field.element.querySelector("legend, label");
  if (heading !== null) fill(heading, name);
  field.element.classList.add("question");
  if (question === undefined) return field;
  const own = fileCard(t("inFile"), question, target);
  const cards = [cardOf(own, others), ...others.map((each) => cardOf(each, [own]))];
  (field.element.querySelector(".hint") ?? heading)?.after(h("ul.groups.cards.whole", cards));
  return field;
}

/** @param {readonly KnownPerson[]} people @param {ImportQuestion | undefined} question */
function joinChoices(people, question) {
  const open = people.filter(({ person }) => isOpen(person));
  if (people.length > 0) {
    return open.map(({ person: { personId, personName: name } }) => ({
      value: `join:${personId}`,
      label: t("joinWith", { name }),
    }));
  }
  const isEarlier = question === undefined || question.earlier !== null;
  return isEarlier ? [{ value: "join", label: t("joinEarlier") }] : [];
}

/** @param {KnownPerson} known @returns {QuestionCard} */
function personCard({ person, details }) {
  const status = isOpen(person) ? [] : [" · ", label(person.status)];
  return {
    where: t("amongPeople"),
    title: person.personName,
    facts: [...contactParts(person), ...status],
    details,
  };
}

/**
 * @param {string} where
 * @param {Pick<ImportQuestion, "title" | "notes" | "details">} card
 * @param {string} target
 * @returns {QuestionCard}
 */
function fileCard(where, { title, notes, details }, target) {
  const kind = target !== "person" && targetText(target);
  const facts = [kind, notes > 0 && counted(notes, "notesOfCard")].filter(Boolean);
  return { where, title, facts: [facts.join(" · ")], details };
}

/** @param {ImportedDetail} detail */
function wordsOf(detail) {
  return detail.kind === "DATE" ? dateText(detail.value.date) : detailText(detail);
}

/** @param {QuestionCard} card @param {readonly QuestionCard[]} others */
function cardOf({ where, title, facts, details }, others) {
  const rows = KINDS.flatMap((kind) => details.filter((each) => each.kind === kind))
    .filter((detail) => detailText(detail) !== title)
    .flatMap((detail) => {
      const { kind, value } = detail;
      const text = wordsOf(detail);
      return [
        h("dt", detail.label ?? label(kind === "DATE" ? value.what : kind)),
        h("dd.words", isAmong(detail, others) ? h("mark", text) : text),
      ];
    });
  return h(
    "li",
    h("p.quiet.small", where),
    h("h3.words", title),
    h("p.quiet.small", facts),
    rows.length > 0 && h("dl.values.keys.small", rows),
  );
}

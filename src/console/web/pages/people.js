/** The page of a person, and the details that can be added. */

import { actButton, askButton, repeatable, watchFields, withSession } from "../core/acts.js";
import {
  announce,
  announceChange,
  fill,
  get,
  h,
  locale,
  notLoaded,
  readAll,
  t,
  thisVisit,
  timeText,
  visit,
} from "../core/base.js";
import { label, labelled, readModule } from "../core/names.js";
import { choiceField, form, lineField, linesField } from "../fields/controls.js";
import { contactNow, counted, valuesList, veiled } from "../fields/shown.js";
import {
  contactParts,
  detailText,
  disc,
  entryControls,
  entryLine,
  guessDetail,
  isOpen,
  ledgers,
  pathsOf,
  PEOPLE_API,
  timelineLine,
  yearsBetween,
} from "./people_entries.js";

const PRIVATE = { privacy: "PRIVATE" };

/** Accepts a phone number, an email or an address, then Enter. @param {Paths} paths */
function reachBox({ page, api }) {
  const field = lineField({
    name: "value",
    label: t("addReach"),
    hint: t("addReachHint"),
    required: true,
    sensitive: true,
    words: true,
  });
  const isSent = watchFields([field]);
  const sendDetail = repeatable();
  const element = form([field], t("add"), async () => {
    const here = thisVisit();
    const path = `${api}/details`;
    const body = { ...guessDetail(field.text()), ...PRIVATE };
    await withSession(() => sendDetail("POST", path, { body }));
    isSent();
    announceChange(path);
    announce(t("kept"));
    await visit(page, here);
  });
  element.classList.add("one-line");
  return element;
}

/** Each with the kind of detail that it adds. */
const DIALOGS = /** @type {const} */ ({
  waysToReach: [{ title: "addAddress", kind: "ADDRESS" }],
  dates: [{ title: "addDate", kind: "DATE" }],
  relations: [{ title: "addRelation", kind: "LINK" }],
  namesAndWork: [{ title: "addName", kind: "NAME" }, { title: "addWork", kind: "ORGANIZATION" }],
});

/** @param {keyof typeof DIALOGS} section @param {Paths} paths */
function addButtons(section, { page, api }) {
  return DIALOGS[section].map(({ title, kind }) =>
    askButton(
      { path: `${api}/details`, name: t(title), title: t(title), done: t("kept"), page },
      () => fieldsOf(kind, api),
      (texts) => ({ kind, value: stated(texts), ...PRIVATE }),
    )
  );
}

/** @param {Readonly<Record<string, string>>} texts */
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
async function readDetails(api) {
  const details = await readAll(`${api}/details?limit=100`);
  const ids = new Set(details.flatMap(({ value }) => value?.personId ?? []));
  const people = await Promise.all([...ids].map(async (id) => {
    const data = await get(pathsOf(id).api);
    return /** @type {const} */ ([id, String(data.personName)]);
  }));
  return { details, names: new Map(people) };
}

/**
 * @param {Awaited<ReturnType<typeof readDetails>>} found
 * @param {Paths} paths
 * @param {boolean} isOpen
 */
function detailParts({ details, names }, paths, isOpen) {
  const sections = SECTIONS.map(({ name, kinds }) => {
    const shown = kinds.flatMap((kind) =>
      details.filter((detail) => detail.kind === kind).toReversed()
    );
    return shown.length > 0 && h(
      "section",
      h("h2", t(name)),
      h(
        "ul.lines.entries",
        shown.map((detail, index) => detailLine(detail, names, { paths, isOpen, index })),
      ),
    );
  });
  return [
    ...sections,
    isOpen && reachBox(paths),
    isOpen && h("div.bar.entries", SECTIONS.flatMap(({ name }) => addButtons(name, paths))),
  ];
}

/**
 * @param {any} detail
 * @param {ReadonlyMap<string, string>} names
 * @param {{ paths: Paths, isOpen: boolean, index: number }} place
 */
function detailLine(detail, names, { paths: { page, api }, isOpen, index }) {
  const { kind, value, label: own, preferred, effectivePrivacy, detailId: id } = detail;
  const what = kind === "DATE" && value !== null ? value.what : kind;
  const when = `${label(what)} (${index + 1})`;
  const facts = [
    own ?? label(what),
    ...(value?.types ?? []),
    kind === "LINK" ? value?.relation : null,
    preferred ? t("preferred") : null,
    effectivePrivacy === "NORMAL" ? null : label(effectivePrivacy),
  ].filter((fact) => fact !== null && fact !== undefined);
  const show = () => h("div.words", detailWords(detail, names));
  return h(
    "li",
    h("p.quiet.small", facts.join(" · ")),
    detail.redacted
      ? h("p.quiet", t("hidden"))
      : effectivePrivacy === "SECRET"
      ? veiled(when, show)
      : show(),
    isOpen && entryControls(detail, {
      name: "details",
      api: `${api}/details`,
      page,
      isOpen,
      id,
      when,
    }),
  );
}

/** @param {any} detail @param {ReadonlyMap<string, string>} names */
function detailWords(detail, names) {
  const { kind, value, note } = detail;
  const text = kind === "DATE" ? dateText(value) : names.get(value.personId) ?? detailText(detail);
  const link = kind === "LINK" && value.personId;
  return [
    h("p", link ? h("a", { href: pathsOf(link).page }, text) : text),
    note !== null && h("p.quiet", note),
  ];
}

/** @param {{ what: string, date: string }} value */
function dateText({ date }) {
  const years = yearsBetween(date, new Date().toISOString().slice(0, 10));
  const shown = dayText(date);
  return years === null ? shown : `${shown} (${counted(years, "manyYears")})`;
}

/** @param {string} date */
function dayText(date) {
  if (/^\d{4}$/.test(date)) return date;
  const isYearly = date.startsWith("--");
  const day = new Date(`${isYearly ? `2000${date.slice(1)}` : date}T00:00:00Z`);
  const year = isYearly ? {} : { year: /** @type {const} */ ("numeric") };
  return new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
    ...year,
  })
    .format(day);
}

const MAX_HAPPENED = 20;

const APART = ["personName", "relationshipType", "lastContactAt", "desiredContactIntervalDays"];

/** The person whose further parts are open, also after an action in them. */
let openedFor = "";

/** @type {Page} */
export async function personPage({ params }) {
  const paths = pathsOf(params.id);
  const { page, api } = paths;
  const read = (/** @type {string} */ name) => get(`${api}/${name}?limit=${MAX_HAPPENED}`);
  const [module, person, details, contacts, experiences, timeline] = await Promise.all([
    readModule("relationship"),
    get(api),
    readDetails(api),
    read("contacts"),
    read("experiences"),
    read("timeline"),
  ]);
  const open = isOpen(person);
  const kinds = ledgers();
  const placeOf = (/** @type {LedgerName} */ name) => ({
    name,
    api: `${api}/${name}`,
    page,
    isOpen: open,
  });
  // The contact itself tells that it was retracted.
  const moments = timeline.items.filter(({ kind }) => kind !== "CONTACT_RETRACTED");
  const addLink = (/** @type {LedgerName} */ name) =>
    open && h("a", { href: `${page}/ledger/${name}/new` }, kinds[name].add);
  const allLink = (/** @type {string} */ path, /** @type {string} */ name) =>
    h("a", { href: `${page}/${path}` }, t("allOf", { name }));
  const happened = (/** @type {any} */ moment, /** @type {number} */ index) => {
    const isContact = moment.kind === "CONTACT_RECORDED";
    const name = isContact ? "contacts" : "experiences";
    const entry = (isContact ? contacts : experiences).items.find((each) =>
      each[kinds[name].idName] === moment.sourceId
    );
    const isNamed = true;
    return entry === undefined
      ? timelineLine(moment)
      : entryLine(kinds[name], entry, { ...placeOf(name), isNamed }, index);
  };
  return {
    title: t("person"),
    heading: person.personName,
    body: [
      h("div.bar.head", disc(person), headLine(person)),
      person.status !== "ACTIVE" && h("p.note", statusText(person)),
      h(
        "div.bar",
        open && spokeButton(paths),
        open && h("a", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        h("a", { href: `${api}/vcard?version=3.0`, download: "" }, t("saveCard")),
      ),
      ...detailParts(details, paths, open),
      valuesList((module?.fields ?? []).filter(({ name }) => !APART.includes(name)), person),
      h("h2", t("timeline")),
      h("div.bar", addLink("contacts"), addLink("experiences")),
      moments.length === 0
        ? h("p.quiet", t("noneYet"))
        : h("ol.lines.entries.column", moments.map(happened)),
      h(
        "div.bar",
        allLink("timeline", t("timeline")),
        allLink("ledger/contacts", kinds.contacts.title),
        allLink("ledger/experiences", kinds.experiences.title),
      ),
      furtherParts(person, paths),
    ],
  };
}

/**
 * Evaluation, evidence, status and tags, read when they are opened.
 * @param {any} person
 * @param {Paths} paths
 */
function furtherParts(person, paths) {
  const box = h("div");
  const show = async () => {
    const { readFurther } = await import("./people_more.js").catch(notLoaded);
    fill(box, ...await readFurther(person, paths));
  };
  const ontoggle = (/** @type {Event} */ { currentTarget }) => {
    const { open } = /** @type {HTMLDetailsElement} */ (currentTarget);
    openedFor = open ? person.personId : "";
    if (open && box.childElementCount === 0) void show();
  };
  const open = openedFor === person.personId;
  return h("details", { open, ontoggle }, h("summary", t("more")), box);
}

/** @param {any} person */
function headLine(person) {
  return h("p", label(person.relationshipType), " · ", ...contactParts(person));
}

/** @param {Paths} paths */
function spokeButton({ page, api }) {
  return actButton({
    path: `${api}/contacts`,
    page,
    name: t("spoke"),
    done: t("spokeDone"),
    isMain: true,
    body: contactNow,
  });
}

/** @param {any} person */
function statusText({ status, archivedAt }) {
  switch (status) {
    case "PAUSED":
      return t("isPaused");
    case "ARCHIVED":
      return t("isArchived", { time: timeText(archivedAt) });
    default:
      return t("isSealed");
  }
}

/** Fields of a new detail. Each is named like the member of the value. */

const DATE_WORDS = ["BIRTHDAY", "ANNIVERSARY", "DEATH", "MET", "OTHER"];

/** @param {"ADDRESS" | "DATE" | "LINK" | "NAME" | "ORGANIZATION"} kind @param {string} api */
export async function fieldsOf(kind, api) {
  switch (kind) {
    case "ADDRESS":
      return [
        linesField({ name: "street", label: t("street"), sensitive: true }),
        wordsField("postalCode", t("postalCode")),
        wordsField("locality", t("locality")),
        wordsField("country", t("country")),
      ];
    case "DATE":
      return [
        choiceField({ name: "what", label: t("whatDate"), required: true }, labelled(DATE_WORDS)),
        wordsField("date", t("dateOfIt"), { hint: t("dateOfItHint"), required: true }),
      ];
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

/**
 * @param {string} name
 * @param {string} text
 * @param {{ hint?: string, required?: boolean }} [more]
 */
function wordsField(name, text, more = {}) {
  return lineField({ name, label: text, sensitive: true, words: true, ...more });
}

/** @param {string} api */
async function otherPeople(api) {
  const people = await readAll(`${PEOPLE_API}?limit=100`);
  return people.filter(({ personId }) => !api.endsWith(personId))
    .map(({ personId, personName }) => ({ value: personId, label: personName }))
    .sort((one, other) => one.label.localeCompare(other.label));
}

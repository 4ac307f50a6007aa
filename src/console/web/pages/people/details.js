/** Ways to reach a person, and dates. */

import { askButton, repeatable, watchFields, withSession } from "../../core/acts.js";
import {
  announce,
  announceChange,
  h,
  locale,
  notLoaded,
  send,
  t,
  thisVisit,
  visit,
} from "../../core/base.js";
import { label } from "../../core/names.js";
import { form, lineField } from "../../fields/controls.js";
import { veiled } from "../../fields/shown.js";
import { detailText, guessDetail, yearsBetween } from "../../logic/detail_texts.js";
import { readAll } from "../drafts.js";
import { entryControls } from "./entries.js";
import { pathsOf } from "./person_paths.js";

/** One field for ways to reach a person, and a dialog for each other kind of detail. */

const PRIVACY = { privacy: "PRIVATE" };

/**
 * Accepts a phone number, an email or an address, then Enter.
 * @param {Session} session
 * @param {Paths} paths
 */
function reachBox(session, { page, api }) {
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
    const body = { ...guessDetail(field.text()), ...PRIVACY };
    await withSession(session.account.email, () => sendDetail("POST", path, { body }));
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

/** @param {Session} session @param {keyof typeof DIALOGS} section @param {Paths} paths */
function addButtons(session, section, { page, api }) {
  return DIALOGS[section].map(({ title, kind }) =>
    askButton(
      session,
      { path: `${api}/details`, name: t(title), title: t(title), done: t("kept"), page },
      async () => {
        const { fieldsOf } = await import("./detail_fields.js").catch(notLoaded);
        return await fieldsOf(kind, api);
      },
      (texts) => ({ kind, value: stated(texts), ...PRIVACY }),
    )
  );
}

/** Without empty texts. @param {Readonly<Record<string, string>>} texts */
function stated(texts) {
  const trimmed = Object.entries(texts).map(([name, text]) => [name, text.trim()]);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ""));
}

/** In the order of the page. */
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
  const people = await Promise.all([...ids].map(async (id) => {
    const { data } = await send("GET", pathsOf(id).api);
    return /** @type {const} */ ([id, String(data.personName)]);
  }));
  return { details, names: new Map(people) };
}

/**
 * Sections of what is known, and what can be added.
 * @param {Session} session
 * @param {Awaited<ReturnType<typeof readDetails>>} found
 * @param {Paths} paths
 * @param {boolean} isOpen
 */
export function detailParts(session, { details, names }, paths, isOpen) {
  const sections = SECTIONS.map(({ name, kinds }) => {
    const shown = kinds.flatMap((kind) =>
      details.filter((detail) => detail.kind === kind).toReversed()
    );
    return shown.length > 0 && h(
      "section",
      h("h2", t(name)),
      h(
        "ul.lines.entries",
        shown.map((detail, index) => detailLine(session, detail, names, { paths, isOpen, index })),
      ),
    );
  });
  return [
    ...sections,
    isOpen && reachBox(session, paths),
    isOpen && h(
      "div.bar.entries",
      SECTIONS.flatMap(({ name }) => addButtons(session, name, paths)),
    ),
  ];
}

/**
 * @param {Session} session
 * @param {any} detail
 * @param {ReadonlyMap<string, string>} names
 * @param {{ paths: Paths, isOpen: boolean, index: number }} place
 */
function detailLine(session, detail, names, { paths: { page, api }, isOpen, index }) {
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
    isOpen && entryControls(session, detail, {
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
  return years === null ? shown : t("dateWithYears", { date: shown, years });
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

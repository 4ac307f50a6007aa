import { actButton } from "../../core/act.js";
import { send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/text.js";
import { valuesList } from "../../fields/values_list.js";
import { archiveButton, archivedNote, listSection, rootFacts } from "../root_parts.js";
import { decisionFields, pathsOf } from "./decision_paths.js";
import { KIND_NAMES, readKind } from "./kinds.js";
import { thingLine } from "./thing_list.js";

/** Per kind, with a link to all. */
const MAX_SHOWN = 5;
/** Shown in their own parts. */
const APART = ["question", "options", "chosenOption"];

/** @type {import("../../pages.js").Page} */
export default async function decisionPage({ params, session }) {
  const place = pathsOf(params.id);
  const { page, api } = place;
  const [fields, { data: decision }, ...lists] = await Promise.all([
    decisionFields(),
    send("GET", api),
    ...KIND_NAMES.map((kind) => send("GET", `${api}/${kind}?limit=${MAX_SHOWN}`)),
  ]);
  return {
    title: t("decision"),
    body: [
      rootFacts(decision),
      archivedNote(decision),
      h("p", { class: "words lead" }, decision.question),
      optionList(session, decision, place),
      valuesList(fields.filter(({ name }) => !APART.includes(name)), decision),
      h(
        "div",
        { class: "bar" },
        h("a", { class: "main", href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        archiveButton(session, decision, place),
      ),
      ...KIND_NAMES.map((name, index) => section(page, name, lists[index]?.data)),
    ],
  };
}

/**
 * @param {import("../../core/session.js").Session} session
 * @param {any} decision
 * @param {import("../root_parts.js").Place} place
 */
function optionList(session, { options, chosenOption, revision }, { page, api }) {
  const choose = (/** @type {string} */ option) =>
    actButton(session, {
      path: api,
      method: "PATCH",
      page,
      done: t("chosen"),
      name: t("pickOption"),
      label: t("chooseOption", { option }),
      body: { expectedRevision: revision, set: { chosenOption: option } },
    });
  const line = (/** @type {string} */ option) =>
    h(
      "li",
      {},
      h("span", { class: "words" }, option),
      option === chosenOption ? h("strong", { class: "small" }, t("isChosen")) : choose(option),
    );
  return h("ul", { class: "lines", "aria-label": t("options") }, options.items.map(line));
}

/**
 * @param {string} page
 * @param {string} name
 * @param {any} found
 */
function section(page, name, found) {
  const kind = readKind(name);
  const all = `${page}/${name}`;
  return kind !== null && listSection(t(kind.title), found, all, {
    add: h("a", { href: `${all}/new` }, t(kind.add)),
    line: (thing) => thingLine(kind, all, thing),
  });
}

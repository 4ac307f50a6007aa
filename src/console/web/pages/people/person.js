import { send } from "../../core/api.js";
import { readModule } from "../../core/catalog.js";
import { h } from "../../core/dom.js";
import { t, timeText } from "../../core/text.js";
import { valuesList } from "../../fields/values_list.js";
import { nextContact } from "../../logic/detail_texts.js";
import { listSection, rootFacts } from "../root_parts.js";
import { detailSections, readDetails } from "./details.js";
import { entryLine } from "./entry_line.js";
import { evaluationSection, readEvaluation } from "./evaluation.js";
import { ledgers } from "./ledger_kinds.js";
import { moveButtons } from "./moves.js";
import { isOpen, pathsOf } from "./person_paths.js";
import { timelineFigure } from "./timeline.js";

/** Per ledger, with a link to all. */
const MAX_SHOWN = 5;
const MAX_DRAWN = 100;

/** @type {import("../../pages.js").Page} */
export default async function personPage({ params, session }) {
  const paths = pathsOf(params.id);
  const { page, api } = paths;
  const names = /** @type {const} */ (["contacts", "experiences", "evidence"]);
  const [module, { data: person }, found, details, ...lists] = await Promise.all([
    readModule("relationship"),
    send("GET", api),
    readEvaluation(api),
    readDetails(api),
    ...names.map((name) => send("GET", `${api}/${name}?limit=${MAX_SHOWN}`)),
    send("GET", `${api}/timeline?limit=${MAX_DRAWN}`),
  ]);
  const open = isOpen(person);
  const moments = lists[names.length]?.data.items ?? [];
  const sections = Object.entries(ledgers()).map(([key, ledger], index) => {
    const name = /** @type {import("./ledger_kinds.js").LedgerName} */ (key);
    const place = { name, api: `${api}/${name}`, page, isOpen: open };
    return listSection(ledger.title, lists[index]?.data, `${page}/ledger/${name}`, {
      add: open && h("a", { href: `${page}/ledger/${name}/new` }, ledger.add),
      isLong: true,
      line: (entry, index) => entryLine(session, ledger, entry, place, index),
    });
  });
  return {
    title: t("person"),
    heading: person.personName,
    body: [
      rootFacts(person),
      person.status !== "ACTIVE" && h("p", { class: "note" }, statusText(person)),
      contactText(person),
      ...detailSections(session, details, paths, open),
      valuesList((module?.fields ?? []).filter(({ name }) => name !== "personName"), person),
      h(
        "div",
        { class: "bar" },
        open && h("a", { class: "main", href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        h("a", { href: `${api}/vcard?version=3.0`, download: "" }, t("saveCard")),
        moveButtons(session, person, paths),
      ),
      evaluationSection(session, person, paths, found),
      ...sections,
      h(
        "section",
        {},
        h("h2", {}, t("timeline")),
        timelineFigure(moments),
        h("p", {}, h("a", { href: `${page}/timeline` }, t("showOf", { name: t("timeline") }))),
      ),
    ],
  };
}

/** @param {any} person */
function contactText(person) {
  const { lastContactAt, status } = person;
  const next = status === "ACTIVE" ? nextContact(person) : null;
  const parts = [
    lastContactAt === null
      ? t("noContactYet")
      : t("lastContact", { time: timeText(lastContactAt) }),
    next === null ? null : t("nextContact", { time: timeText(next) }),
  ].filter((part) => part !== null);
  return h("p", { class: "facts" }, parts.join(" · "));
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

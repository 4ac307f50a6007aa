import { send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { timelinePicture } from "../../core/charts.js";
import { t, timeText } from "../../core/text.js";
import { listPage } from "../list_page.js";
import { pathsOf } from "./person_paths.js";

/** @type {import("../../pages.js").Page} */
export default async function timeline({ params, query }) {
  const { page, api } = pathsOf(params.id);
  const { data: person } = await send("GET", api);
  return await listPage(query, {
    title: t("timeline"),
    page: `${page}/timeline`,
    api: `${api}/timeline`,
    none: t("noneYet"),
    beside: [h("a", { href: page, class: "words" }, person.personName)],
    above: timelineFigure,
    line: timelineLine,
  });
}

/**
 * None for a single moment.
 *
 * @param {readonly any[]} entries
 */
export function timelineFigure(entries) {
  if (entries.length < 2) return false;
  const events = entries.map(({ kind, occurredAt, recordedAt }) => ({
    lane: laneText(kind),
    from: Date.parse(occurredAt ?? recordedAt),
    name: kindText(kind),
  }));
  return timelinePicture(t("timelinePicture"), events);
}

/** @param {string} kind */
function laneText(kind) {
  if (kind.startsWith("CONTACT_")) return t("contacts");
  return kind === "EXPERIENCE_RECORDED" ? t("experiences") : t("statusChanges");
}

/** @param {any} entry */
export function timelineLine({ kind, occurredAt, recordedAt }) {
  const at = occurredAt ?? recordedAt;
  return h(
    "li",
    {},
    h("time", { class: "quiet small", datetime: at }, timeText(at)),
    h("span", {}, kindText(kind)),
  );
}

/** @param {string} kind */
export function kindText(kind) {
  const sentences = /** @type {const} */ ({
    CONTACT_RECORDED: "contact",
    CONTACT_RETRACTED: "contactRetracted",
    EXPERIENCE_RECORDED: "experience",
    STATUS_CHANGED: "statusChanged",
    EVALUATION_CONFIRMED: "evaluationConfirmed",
  });
  return t(sentences[/** @type {keyof typeof sentences} */ (kind)]);
}

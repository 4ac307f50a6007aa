import { send } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { sinceDayText } from "../../core/numbers.js";
import { t } from "../../core/text.js";
import { ago } from "../../fields/shown_value.js";
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
    isLong: true,
    beside: [h("a", { href: page, class: "words" }, person.personName)],
    line: timelineLine,
  });
}

/** @param {any} entry */
export function timelineLine({ kind, occurredAt, recordedAt }) {
  const at = occurredAt ?? recordedAt;
  return h(
    "li",
    {},
    h("p", { class: "quiet small" }, ago(at, sinceDayText), ` · ${kindText(kind)}`),
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

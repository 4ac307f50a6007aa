import { h } from "../../core/dom.js";
import { t, timeText } from "../../core/text.js";
import { label } from "../../logic/labels.js";
import { listPage } from "../list_page.js";
import { PEOPLE, PEOPLE_API } from "./person_paths.js";

/** @type {import("../../pages.js").Page} */
export default async function people({ query }) {
  const views = [
    { value: "", text: t("everyone") },
    ...["ACTIVE", "PAUSED", "ARCHIVED", "SEALED"].map((value) => ({ value, text: label(value) })),
  ];
  return await listPage(query, {
    title: t("people"),
    page: PEOPLE,
    api: PEOPLE_API,
    filter: { name: "status", views },
    none: t("noneYet"),
    beside: [
      h("a", { class: "main", href: `${PEOPLE}/new` }, t("newPerson")),
      h("a", { href: "/console/print/relationship" }, t("printView")),
    ],
    line,
  });
}

/** @param {any} person */
function line({ personId, personName, relationshipType, status, lastContactAt }) {
  const facts = [
    label(relationshipType),
    status !== "ACTIVE" && label(status),
    lastContactAt !== null && t("lastContact", { time: timeText(lastContactAt) }),
  ];
  return h(
    "li",
    {},
    h("a", { href: `${PEOPLE}/${personId}`, class: "words" }, personName),
    h("span", { class: "quiet small" }, facts.filter(Boolean).join(" · ")),
  );
}

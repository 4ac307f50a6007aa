import { h, t } from "../../core/base.js";
import { label } from "../../core/names.js";
import { listPage } from "../list_page.js";
import { contactParts, disc } from "./person.js";
import { PEOPLE, PEOPLE_API } from "./person_paths.js";

/** @type {Page} */
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
      h("a.main", { href: `${PEOPLE}/new` }, t("newPerson")),
      h("a", { href: "/console/print/relationship" }, t("printView")),
    ],
    line,
  });
}

/** @param {any} person */
function line(person) {
  const { personId, personName, relationshipType, status } = person;
  return h(
    "li",
    h("a.words", { href: `${PEOPLE}/${personId}` }, disc(person), personName),
    h(
      "span.quiet.small",
      [label(relationshipType), status !== "ACTIVE" && label(status)].filter(Boolean).join(" · "),
      " · ",
      ...contactParts(person),
    ),
  );
}

/** Records that refer to a record: the other end of each reference. */

import { h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { label, labelOfOne, recordPath } from "../core/names.js";
import { REFERENCES } from "../fields/references.js";

const MAX_SHOWN = 20;

/** The parts of an action; empty without one. @param {string} id */
export async function partsOf(id) {
  const found = await referring("action", "parentId", id);
  return found.length === 0 ? [] : [h("h2", t("partsOfIt")), h("ul.lines", found.map(lineOf))];
}

/** @param {string} code @param {string} id */
export async function referringTo(code, id) {
  const fields = Object.entries(REFERENCES).filter(([field, { of, to = code, isName }]) =>
    of !== undefined && to === code && !isName && field !== "parentId"
  );
  const found = await Promise.all(fields.map(([field, { of = "" }]) => referring(of, field, id)));
  const lines = found.flat().map(lineOf);
  return lines.length === 0 ? [h("p.quiet", t("noneYet"))] : [h("ul.lines", lines)];
}

/** @param {string} moduleCode @param {string} field @param {string} id */
async function referring(moduleCode, field, id) {
  const asked = new URLSearchParams({ [`filter[${field}]`]: id, limit: String(MAX_SHOWN) });
  const { items } = await get(`/api/v2/records/${moduleCode}?${asked}`);
  return items.map(({ recordId, title, redacted }) => ({
    moduleCode,
    recordId,
    title: redacted ? t("hidden") : title,
    note: field === "parentId" ? "" : label(field),
  }));
}

/** @param {Titled & { note: string }} found */
function lineOf({ moduleCode, recordId, title, note }) {
  const facts = [labelOfOne(moduleCode), note].filter(Boolean).join(" · ");
  return h(
    "li",
    link(recordPath(moduleCode, recordId), title || labelOfOne(moduleCode), "words"),
    h("span.quiet.small", facts),
  );
}

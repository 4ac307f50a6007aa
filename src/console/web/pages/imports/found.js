/** The content of an import's file, and the result of a withdrawal. */

import { h, t } from "../../core/base.js";
import { ruleText, targetText } from "./words.js";

/** @param {any} data */
export function outcomes({ counts, attachments }) {
  const all =
    /** @type {const} */ (["new", "changed", "unchanged", "possibleDuplicate", "refused"]);
  const names = all.filter((name) => Object.values(counts).some((of) => of[name] !== undefined));
  const heads = /** @type {const} */ ({
    new: "outcomeNew",
    changed: "outcomeChanged",
    unchanged: "outcomeUnchanged",
    possibleDuplicate: "outcomePossible",
    refused: "outcomeRefused",
  });
  const rows = Object.entries(counts).map(([target, of]) =>
    h(
      "tr",
      h("th", { scope: "row" }, targetText(target)),
      ...names.map((name) => h("td", String(of[name] ?? 0))),
    )
  );
  return [
    h("h2", t("whatWasFound")),
    h(
      "div.scrolls",
      { tabindex: 0, role: "region", "aria-label": t("whatWasFound") },
      h(
        "table",
        h(
          "thead",
          h("tr", h("td"), names.map((name) => h("th", { scope: "col" }, t(heads[name])))),
        ),
        h("tbody", rows),
      ),
    ),
    h("p", t("filesFound", attachments)),
  ];
}

/** @param {any} data */
export function withdrawal({ withdrawn }) {
  if (withdrawn === null) return false;
  return [
    h("p", t("takenBack", { count: withdrawn.archived })),
    listed(t("leftAsIs"), withdrawn.left.map(ruleText)),
  ];
}

/** @param {string} heading @param {readonly string[]} lines */
export function listed(heading, lines) {
  if (lines.length === 0) return [];
  return [h("h2", heading), h("ul", lines.map((text) => h("li", text)))];
}

/** @param {readonly { target: string, title: string }[]} items */
export function titles(items) {
  return [
    h("h2", t("firstTitles")),
    h(
      "ul",
      items.map(({ target, title }) =>
        h(
          "li",
          h("span.words", title),
          h("span.quiet.small", ` ${targetText(target)}`),
        )
      ),
    ),
  ];
}

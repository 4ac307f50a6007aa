/** Requested after the page is shown. */

import { fill, h } from "../core/dom.js";
import { counted, daysText } from "../core/numbers.js";
import { readAll } from "../core/read_all.js";
import { failureText, t } from "../core/text.js";
import { ApiError } from "../core/api.js";
import { recordPath } from "../logic/addresses.js";
import { dueAmong, dueLists } from "../logic/due.js";
import { label } from "../logic/labels.js";

const MAX_SHOWN = 10;

export function dueSection() {
  const content = h("div", {}, h("p", { class: "quiet" }, t("loadingDue")));
  void show(content);
  return h("section", {}, h("h2", {}, t("due")), content);
}

/** @param {HTMLElement} content */
async function show(content) {
  try {
    const now = new Date();
    const records = await Promise.all(dueLists(now).map((list) => readAll(list)));
    const lines = dueAmong(records.flat(), now).map(line);
    const [first, more] = [lines.slice(0, MAX_SHOWN), lines.slice(MAX_SHOWN)];
    if (lines.length === 0) return fill(content, h("p", { class: "quiet" }, t("nothingDue")));
    fill(
      content,
      h("ul", { class: "lines" }, first),
      more.length > 0 && h(
        "details",
        {},
        h("summary", {}, counted(more.length, "oneMore", "manyMore")),
        h("ul", { class: "lines" }, more),
      ),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    fill(content, h("p", { class: "quiet" }, failureText(error.code)));
  }
}

/** @param {import("../logic/due.js").Due} due */
function line({ record, at, days, isOverdue }) {
  const { moduleCode, recordId, title, redacted } = record;
  const when = daysText(days);
  return h(
    "li",
    {},
    h(
      "a",
      { href: recordPath(moduleCode, recordId), class: "words" },
      redacted ? t("hidden") : title,
    ),
    h(
      "span",
      { class: "quiet small" },
      `${label(moduleCode)} · `,
      h("time", { datetime: at }, isOverdue ? t("overdueSince", { when }) : when),
    ),
  );
}

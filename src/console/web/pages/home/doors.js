/** Three ways to begin, while the account has no record. */

import { h, link } from "../../core/base/elements.js";
import { drawing } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { readOrNull } from "../../core/base/reads.js";

/**
 * Empty unless no part of the page has anything and the service counts no record.
 * @param {readonly Promise<boolean>[]} arrivals Whether each part is empty.
 * @param {Element | false} capture Its first words end the beginning.
 * @param {Element | false} changed Without records it has archived ones alone.
 */
export function doors(arrivals, capture, changed) {
  const place = h("div");
  const show = async () => {
    if ((await Promise.all(arrivals)).includes(false)) return;
    const counts = await readOrNull("/api/v2/record-counts");
    if (!counts?.items.every((/** @type {any} */ { count }) => count === 0)) return;
    if (changed) changed.remove();
    place.append(region());
  };
  if (capture) capture.addEventListener("submit", () => place.remove());
  void show();
  return place;
}

function region() {
  const write = (/** @type {Event} */ event) => {
    event.preventDefault();
    document.querySelector("textarea")?.focus();
  };
  return h(
    "section.empty",
    { "aria-labelledby": "begin" },
    drawing("morning"),
    h("h2", { id: "begin" }, t("whereToBegin")),
    h("p", t("beginText")),
    h(
      "div.bar",
      h("a.main", { href: "#main", onclick: write }, t("writeSomething")),
    ),
    h(
      "div.bar",
      link("/console/imports", t("bringWhatYouHave")),
      link("/console/imports/sample", t("lookAround")),
    ),
  );
}

/** Lines of due items. */

import { fill, h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { label, recordPath } from "../core/names.js";
import { row } from "../fields/controls/forms.js";
import { disc, kindSymbol } from "../fields/shown/anchors.js";
import { ago } from "../fields/shown/files.js";
import { clockText, dayHeading, daysText, nearDayText, startOfDay } from "../fields/shown/times.js";
import { localOf } from "../logic/local_time.js";
import { byDay, daysUntil, doneButton, dueList, spokeButton } from "./parts/due.js";
import { snoozeButtons } from "./parts/snooze.js";

/** Due items under the headings of their days. @param {number} days The days after today. */
export async function dueDays(days) {
  const now = new Date();
  const { items, nextCursor } = await get(dueList(now, days));
  if (items.length === 0) return [h("p.quiet", t("nothingDue"))];
  return [
    ...byDay(items, now).flatMap(({ days, items }) => [
      h("h3", days === null ? t("overdue") : dayHeading(startOfDay(now, days), days)),
      h("ul.lines", items.map((item) => dueLine(item, now))),
    ]),
    nextCursor !== null && h("p.quiet", t("moreDue", { count: items.length })),
  ];
}

/** The label or kind of an item, with the years of a date. @param {Due} item */
function dueName({ kind, what, label: own, years }) {
  const name = own ?? label(what === null || what === "OTHER" ? kind : what);
  return years === null || years === 0 ? name : `${name} (${years})`;
}

/** @param {Due} item @param {Date} now */
export function dueLine(item, now) {
  const { moduleCode, recordId, kind, title, at } = item;
  const days = daysUntil(item, now);
  const when = days < 0 ? daysText(days) : clockOf(at ?? "");
  const moved = (/** @type {string} */ dueAt) => {
    const text = [nearDayText(dueAt), clockOf(dueAt)].filter(Boolean).join(", ");
    const facts = shown.querySelector(".small");
    if (facts !== null) fill(facts, dueName(item), " · ", ago(dueAt, () => text));
  };
  const isContact = kind === "CONTACT";
  const shown = row({
    anchor: anchorOf(item),
    name: link(recordPath(moduleCode, recordId), title, "words"),
    facts: [dueName(item), when !== "" && ago(at ?? "", () => when)],
    acts: [isContact && spokeButton(item), ...snoozeButtons(item, moved)],
  });
  shown.classList.add("due");
  return shown;
}

/** @param {Due} item */
function anchorOf(item) {
  const { moduleCode, recordId, title } = item;
  if (moduleCode !== "relationship") return doneButton(item) || kindSymbol(moduleCode);
  return disc({ personId: recordId, personName: title, attachmentIds: [] });
}

/** Empty for a day without a time, which lasts until its last minute. @param {string} at */
function clockOf(at) {
  return at === "" || localOf(at).endsWith("T23:59") ? "" : clockText(at);
}

/** A new review: the week itself, before one question. */

import { choiceBar, readFigure } from "../../core/charts/figure.js";
import { drawingOf, tableOf } from "../../core/charts/pictures.js";
import { countLayout } from "../../core/life_charts/week.js";
import { h, link } from "../../core/base/elements.js";
import { loadArea, numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { deviceZone } from "../../logic/local_time.js";
import { countsOf, weekOf } from "./counts.js";

const QUESTION = "reviewSummary";

/**
 * Makes the form of a new review ask one question about a week, which fills the other fields.
 * Returns the figure of the week; it is read before the form is shown, which it would move.
 * @param {Editable} editable
 */
export async function askAboutWeek(editable) {
  await loadArea("life");
  const now = new Date();
  const present = weekOf(now, "weekThis");
  const weeks = [present, weekOf(now, "weekLast")];
  /** @type {readonly Field[]} */
  let fields = [];
  const bar = choiceBar(t("weekChoice"), weeks.map((week) => [week, t(week.name)]), (week) => {
    fillIn(fields, week, weeks);
    void choose(week);
  });
  const { element, show, rename } = readFigure({
    title: t(present.name),
    kind: "review",
    controls: [bar.element],
    read: readWeek,
    content: (counted) =>
      weekContent(counted, weeks.find(({ from }) => from === counted.from) ?? present),
  });
  const choose = async (/** @type {ReviewedWeek} */ week) => {
    bar.press(week);
    rename(t(week.name));
    await show(week);
  };
  editable.first = { ...editable.first, ...present.texts };
  editable.question = QUESTION;
  editable.fields = editable.fields.map((field) =>
    field.name === QUESTION ? { ...field, hint: t("weekQuestion") } : field
  );
  editable.arrange = (all) => {
    fields = all;
    const start = all.find(({ name }) => name === "periodStart")?.text();
    return choose(weeks.find(({ texts }) => texts.periodStart === start) ?? present);
  };
  return element;
}

/** @param {ReviewedWeek} week @returns {Promise<Week>} */
async function readWeek({ from }) {
  const asked = new URLSearchParams({ start: from, zone: deviceZone() ?? "UTC" });
  return await get(`/api/v2/insight/week?${asked}`);
}

/**
 * Sets the fields of the period, and a title that was not changed. They stay folded.
 * @param {readonly Field[]} fields
 * @param {ReviewedWeek} week
 * @param {readonly ReviewedWeek[]} weeks
 */
function fillIn(fields, week, weeks) {
  for (const { name, element, text, setText } of fields) {
    const next = /** @type {Texts} */ (week.texts)[name];
    const isOwn = name === "title" && weeks.every(({ texts }) => texts.title !== text());
    if (next === undefined || isOwn || next === text()) continue;
    const folded = element.closest("details");
    const isOpen = folded?.open ?? true;
    setText(next);
    if (folded !== null) folded.open = isOpen;
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** @param {Week} counted @param {ReviewedWeek} week */
function weekContent(counted, week) {
  const counts = countsOf(counted, week);
  const bars = counts.map(({ name, value }) => ({
    name,
    value,
    text: `${name}: ${numberText(value)}`,
  }));
  const isEmpty = counts.every(({ value }) => value === 0);
  const isWhole = Object.values(counted).every((part) => part !== null);
  const rows = counts.map(({ name, value, lists }) => [
    name,
    numberText(value),
    h("span", lists.filter(({ value }) => value > 0).flatMap(listLink)),
  ]);
  const title = t(week.name);
  const [due = "", met = "", missed = ""] = counts.map(({ value }) => numberText(value));
  const sentence = counted.due === null ? "" : ` ${t("weekDue", { due, met, missed })}`;
  return [
    h("p", week.period + sentence),
    isEmpty
      ? h("p.quiet", t("weekEmpty"))
      : drawingOf(title, (width) => countLayout(bars, width, numberText)),
    !isWhole && h("p.small.quiet", t("weekHidden")),
    tableOf(title, [t("pictureWhat"), t("weekCount"), t("weekLists")], rows),
  ];
}

/** @param {WeekCount["lists"][number]} list @param {number} index */
function listLink({ name, value, path }, index) {
  return [index > 0 && ", ", link(path, `${name} (${numberText(value)})`)];
}

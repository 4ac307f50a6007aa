/** Items of an import: those that stay out, and the records that came in. */

import { h, link } from "../core/base/elements.js";
import { numberText, t } from "../core/base/language.js";
import { readAll, readOrNull } from "../core/base/reads.js";
import { MEMORIES_API, modulePath, recordPath } from "../core/names.js";
import { loaded, row } from "../fields/controls/forms.js";
import { kindSymbol } from "../fields/shown/anchors.js";
import { API, ownName, ruleWords, targetText } from "./import_parts.js";

/** Refused items that are shown. */
const MAX_REFUSED = 50;
/** Records that are linked by their titles. */
const MAX_TITLES = 10;

/** @param {any} data @param {readonly string[]} outcomes */
export function countOf({ counts }, outcomes) {
  return Object.values(counts).flatMap((of) => outcomes.map((outcome) => of[outcome] ?? 0))
    .reduce((total, count) => total + count, 0);
}

/** @param {any} data @param {readonly { place: number, title: string }[]} sample */
export function refusedItems(data, sample) {
  const count = countOf(data, ["refused"]);
  if (count === 0) return [];
  const read = async () => {
    const items = await firstItems(data, "REFUSED", MAX_REFUSED);
    const titles = new Map(sample.map(({ place, title }) => [place, title]));
    const lines = items.map((item) => refusedLine(item, titles, data.columns !== null));
    const numbers = { shown: numberText(items.length), count: numberText(count) };
    return lines.length === 0 ? [] : [
      h("ul", lines),
      items.length < count && h("p.quiet", t("firstOf", numbers)),
    ];
  };
  return [h("section", h("h2", t("staysOut")), loaded(read))];
}

/**
 * Its entry and place, and why it stays out.
 * @param {any} item @param {ReadonlyMap<number, string>} titles @param {boolean} hasLines
 */
function refusedLine({ place, entry, rules }, titles, hasLines) {
  const own = entry ?? titles.get(place) ?? null;
  const where = t(hasLines ? "lineAt" : "placeAt", { place });
  const words = rules.flatMap((/** @type {string} */ rule, /** @type {number} */ index) => [
    index > 0 && " · ",
    ruleWords(rule),
  ]);
  return h("li", own !== null && [ownName(own), " · "], `${where}: `, words);
}

/** @param {any} data @param {string} outcome @param {number} limit */
function firstItems({ importId }, outcome, limit) {
  return readAll(`${API}/${importId}/items?limit=${limit}&outcome=${outcome}`, limit);
}

/** The module of a target; that of other targets has the same name. @type {Texts} */
const MODULES = { person: "relationship", tag: "taxonomy" };

/** The paths of single records. @type {Texts} */
const APIS = {
  memory: MEMORIES_API,
  person: "/api/v2/relationship/people",
  tag: "/api/v2/taxonomy/tags",
};

/** Links to the lists, and to the first records. @param {any} data */
export function cameIn(data) {
  if (data.state !== "DONE") return [];
  const targets = Object.keys(data.counts).filter((target) =>
    target !== "unknown" &&
    countOf({ counts: { one: data.counts[target] } }, ["new", "changed"]) > 0
  );
  if (targets.length === 0) return [];
  const lists = targets.map((target) => link(modulePath(moduleOf(target)), targetText(target)));
  return [
    h("h2", t("whatCameIn")),
    h("p.bar", lists),
    h("section", loaded(() => firstRecords(data))),
  ];
}

/** @param {string} target */
export function moduleOf(target) {
  return MODULES[target] ?? target;
}

/** @param {any} data */
async function firstRecords(data) {
  const outcome = countOf(data, ["new"]) > 0 ? "NEW" : "CHANGED";
  const items = (await firstItems(data, outcome, MAX_TITLES)).filter(({ recordId }) => recordId);
  const records = await Promise.all(
    items.map(({ target, recordId }) =>
      readOrNull(`${APIS[target] ?? `/api/v2/records/${target}`}/${recordId}`)
    ),
  );
  const lines = items.flatMap(({ target, recordId }, index) => {
    const record = records[index];
    // Erased, or not readable.
    if (record === null) return [];
    const title = record.title ?? record.personName ?? record.name;
    const code = moduleOf(target);
    const name = link(recordPath(code, recordId), title, "words");
    return [row({ anchor: kindSymbol(code), name, facts: [targetText(target)] })];
  });
  return lines.length === 0 ? [] : [h("ul.lines", lines)];
}

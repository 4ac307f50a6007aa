/** Two revisions side by side. */

import { actButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label } from "../../core/names.js";
import { newId } from "../../fields/controls/rows.js";
import { veiled } from "../../fields/shown/files.js";
import { optional, roundedFigure, toComparedText } from "../../fields/shown/texts.js";
import { timeText } from "../../fields/shown/times.js";
import { isReference, shownValue } from "../../fields/shown/values.js";
import { changedText } from "./diff.js";

/**
 * @param {readonly ComparedField[]} fields
 * @param {any} before Null for none.
 * @param {any} after
 * @param {(name: string, label: string) => Element | null} [beside] Below a changed field.
 * @param {string} [of] Distinguishes these differences from others on the page.
 */
export function differences(fields, before, after, beside = () => null, of = "") {
  const changed = fields.flatMap(({ text, shown = text, named, sensitive, byModel, ...field }) => {
    const [former, present] = [before === null ? "" : text(before), text(after)];
    if (former === present) return [];
    const [earlier, later] = [before === null ? "" : shown(before), shown(after)];
    const name = field.label ?? label(field.name);
    // Two values may share their readable text.
    const show = () => {
      if (named !== undefined) {
        return changedNames(field.name, before === null ? [] : named(before), named(after));
      }
      // Marks would cover all of a first revision.
      if (before === null) return h("div.words", later);
      return earlier === later ? changedText(former, present) : changedText(earlier, later);
    };
    const words = sensitive ? veiled(of === "" ? name : `${name}, ${of}`, show) : show();
    const act = beside(field.name, name);
    return [
      h("dt", name),
      h("dd", { class: byModel && "note" }, words, act && h("div.bar.small", act)),
    ];
  });
  return changed.length === 0 ? h("p.quiet", t("nothingChanged")) : h("dl.values", changed);
}

/** @type {(field: LabelledField, valueOf: (state: any) => unknown) => ComparedField} */
export function comparedField(field, valueOf) {
  return {
    name: field.name,
    sensitive: field.sensitive,
    ...(field.label !== undefined && { label: field.label }),
    text: (state) => toComparedText(field, valueOf(state)),
    shown: (state) => readText(field, valueOf(state)),
    ...(isReference(field) && { named: valueOf }),
  };
}

/**
 * Titles of the records that only one of two values names.
 * @param {string} name @param {unknown} before @param {unknown} after
 */
export function changedNames(name, before, after) {
  const [former, present] = [before, after].map((value) => [value ?? []].flat());
  const field = optional(name, "text");
  const only = (/** @type {"ins" | "del"} */ tag, some = former, others = present) =>
    some?.filter((value) => !others?.includes(value))
      .map((value) => h("p", h(tag, shownValue(field, value)))) ?? [];
  return h("div", only("del"), only("ins", present, former));
}

/** @param {LabelledField} field @param {any} value */
function readText(field, value) {
  if (value === undefined) return "";
  switch (field.edit) {
    case "datetime":
      return timeText(value);
    case "boolean":
      return t(value ? "yes" : "no");
    case "number":
      return numberText(value);
    case "json":
      return JSON.stringify(value, roundedFigure, 2);
    default:
      return toComparedText(field, value);
  }
}

/** @param {string} path @param {readonly number[]} revisions */
export function compareForm(path, revisions) {
  const list = (/** @type {number | undefined} */ chosen) =>
    h(
      "select",
      { id: newId() },
      revisions.map((revision) => h("option", { selected: revision === chosen }, revision)),
    );
  const [from, to] = [list(revisions[1]), list(revisions[0])];
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.assign(`${path}?${new URLSearchParams({ from: from.value, to: to.value })}`);
  };
  return h(
    "details",
    h("summary", t("compareTwo")),
    h(
      "form.bar",
      { onsubmit },
      h("div", h("label", { for: from.id }, t("compareFrom")), from),
      h("div", h("label", { for: to.id }, t("compareTo")), to),
      h("button", { type: "submit" }, t("compare")),
    ),
  );
}

const PAGE = 50;

/** @param {URLSearchParams} query */
export function pageQuery(query) {
  const cursor = query.get("cursor");
  return new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
}

/** @param {{ from: number, to: number | null }} compared @param {Historied} thing */
export async function comparison({ from, to }, { page, api, earlier, fields, undo }) {
  const [before, after] = await Promise.all([
    get(earlier(from)),
    get(to === null ? api : earlier(to)),
  ]);
  const isFixed = to !== null || before.redacted || after.redacted;
  const changed = differences(fields, before, after, (name, label) => {
    const act = isFixed ? null : undo(name, before);
    return act && actButton({
      ...act,
      body: { ...act.body, expectedRevision: after.revision },
      page,
      name: t("restore"),
      label: `${t("restore")}: ${label}`,
      done: t("reverted"),
    });
  });
  return {
    title: t(to === null ? "comparison" : "comparisonOf", { from, to: after.revision }),
    body: [
      h("p", link(`${page}/history`, t("history"))),
      after.redacted && h("p.note", t("hidden")),
      changed,
    ],
  };
}

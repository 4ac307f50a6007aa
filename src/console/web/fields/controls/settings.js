/** Rows of settings, in groups: a symbol, a name, its value, and the way there. */

import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { row } from "./forms.js";

/** @param {readonly Child[]} rows @param {string} [heading] */
export function settingGroup(rows, heading) {
  return h("section.settings", heading && h("h2", heading), h("ul.lines", rows));
}

/** @param {Setting["symbol"]} symbol */
function anchorOf(symbol) {
  return symbol !== undefined && h("span.anchor", icon(symbol));
}

/** @param {Setting} setting */
export function settingRow({ symbol, name, href, value, facts = [] }) {
  const leads = href !== undefined;
  return row({
    anchor: anchorOf(symbol),
    name: leads ? link(href, name) : name,
    facts,
    more: [value && h("span.quiet", value), leads && icon("more")],
  });
}

/**
 * A row that opens.
 * @param {Setting} setting
 * @param {readonly Child[]} content
 * @param {boolean} [open]
 */
export function settingFold({ symbol, name, value }, content, open = false) {
  const label = value && `${name}: ${value}`;
  const parts = [anchorOf(symbol), h("span.name", name), " ", value && h("span.quiet", value)];
  const summary = h("summary", { "aria-label": label }, parts, icon("more"));
  return h("li", h("details", { open }, summary, h("div", content)));
}

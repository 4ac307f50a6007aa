/** The row of quiet controls above a list, and the panel of its filters. */

import { iconButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { newId } from "../../fields/controls/rows.js";
import { menuButton } from "./menu.js";

/**
 * Links of `after` go into a menu, everything else into a panel that "Filter" opens.
 * @param {Listed} listed
 * @param {string} view @param {string} page @param {Element | false} order
 */
export function listControls(listed, view, page, order) {
  const { title, filter, narrowed, beside = [], after = [] } = listed;
  const views =
    filter?.views.map(({ value, text }) =>
      value === view
        ? h("strong", text)
        : link(`${page}?${new URLSearchParams({ ...narrowed, [filter.name]: value })}`, text)
    ) ?? [];
  const inMenu = filter?.isInMenu && filter.views[0]?.value === view
    ? views.filter((shown) => shown.matches("a"))
    : [];
  const group = { role: "group", "aria-label": t("shown") };
  const items = [...inMenu, ...after.filter((control) => control.matches("a"))];
  const [button, panel] = fold(after.filter((control) => !control.matches("a")));
  const tools = [
    button,
    order,
    ...items.length > 0 ? menuButton(icon("actions"), t("moreOf", { value: title }), items) : [],
  ].filter(Boolean);
  return [
    h(
      "div.bar.controls",
      ...beside,
      inMenu.length === 0 && views.length > 0 && h("div.bar.chips", group, views),
      tools.length > 0 && h("div.tools", tools),
    ),
    panel,
  ];
}

/**
 * A button, and the panel that it opens. Each control gets a "toggle" event when it is opened.
 * @param {readonly Element[]} controls
 */
function fold(controls) {
  if (controls.length === 0) return [];
  const id = newId();
  const panel = h("div.panel", { id, hidden: true }, controls);
  const button = iconButton("filter", t("filter"), () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden) { for (const one of controls) one.dispatchEvent(new Event("toggle")); }
  });
  button.setAttribute("aria-controls", id);
  button.setAttribute("aria-expanded", "false");
  return [button, panel];
}

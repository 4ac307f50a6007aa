import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { newId } from "../fields/field.js";

/**
 * @param {string} path
 * @param {readonly number[]} revisions Newest first.
 */
export function compareForm(path, revisions) {
  const list = (/** @type {string} */ label, /** @type {number | undefined} */ chosen) => {
    const options = revisions.map((revision) =>
      h("option", { selected: revision === chosen }, revision)
    );
    const select = h("select", { id: newId() }, options);
    return { select, part: h("div", {}, h("label", { for: select.id }, label), select) };
  };
  const from = list(t("compareFrom"), revisions[1]);
  const to = list(t("compareTo"), revisions[0]);
  const compare = (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = { from: from.select.value, to: to.select.value };
    location.assign(`${path}?${new URLSearchParams(chosen)}`);
  };
  return h(
    "details",
    {},
    h("summary", {}, t("compareTwo")),
    h(
      "form",
      { class: "bar", onsubmit: compare },
      from.part,
      to.part,
      h("button", {}, t("compare")),
    ),
  );
}

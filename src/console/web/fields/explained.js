/** Lists the violated rules, with links to their fields. */

import { readCatalog } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";

/** @typedef {import("./field.js").Field} Field */

/**
 * @param {any} details
 * @param {readonly Field[]} fields
 */
export async function explained(details, fields) {
  const broken = await Promise.all((details.rules ?? []).map(statedRule));
  const named = new Set([details.fields, ...broken.map((rule) => rule.fields)].flat());
  const refused = fields.filter(({ name }) => named.has(name));
  for (const field of refused) field.refuse(t("notValid"));
  return [
    broken.length > 0 &&
    h("ul", { lang: "en" }, broken.map(({ statement }) => h("li", {}, statement))),
    refused.length > 0 && h("div", { class: "bar" }, refused.map(wayTo)),
  ];
}

/**
 * The rule with the form's labels. Returns its name alone if the catalog has no such rule or cannot be read.
 *
 * @param {string} name
 */
async function statedRule(name) {
  for (const { rules, fields } of await readCatalog().catch(() => [])) {
    const rule = rules.find((rule) => rule.name === name);
    if (rule === undefined) continue;
    const names = new Set(fields.flatMap(({ name, options = [] }) => [name, ...options]));
    const { lang } = document.documentElement;
    const statement = rule.statement.split(/\b/)
      .map((word) => names.has(word) ? h("span", { lang }, label(word)) : word);
    return { statement, fields: rule.fields };
  }
  return { statement: name, fields: [] };
}

/** @param {Field} field */
function wayTo({ name, focus }) {
  const text = t("goToField", { name: label(name) });
  return h("button", { type: "button", class: "plain", onclick: focus }, text);
}

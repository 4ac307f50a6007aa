/** The rules of every field. */

import { keyList } from "../../core/background/keys.js";
import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { readOrNull } from "../../core/base/reads.js";
import { label, readCatalog } from "../../core/names.js";
import { loadRules, ruleText } from "../../fields/refusals.js";
import { pair } from "../../fields/shown/values.js";
import { settingFold, settingGroup } from "../../fields/controls/settings.js";

const EDITS = /** @type {const} */ ({
  text: "editLine",
  textarea: "editText",
  select: "editOne",
  number: "editNumber",
  datetime: "editTime",
  boolean: "editYesNo",
  tags: "editWords",
  file: "editFile",
  json: "editJson",
});

/** @type {Page} */
export async function about() {
  const [modules, release] = await Promise.all([
    readCatalog(),
    readOrNull("/api/v2/version"),
    loadRules(),
  ]);
  return {
    title: t("about"),
    body: [
      h("p", `Personal Records Service ${release?.version ?? ""}`),
      h("p", h("a", { href: "/api/v2/openapi.json", download: true }, t("apiDescription"))),
      h("h2", t("mayLoad")),
      h("p", t("mayLoadText")),
      h("p", t("mayLoadWhy")),
      h("h2", t("mayKeep")),
      h("ul", h("li", t("keepsSession")), h("li", t("keepsDrafts")), h("li", t("keepsSettings"))),
      h("p", t("keepsNothingElse")),
      h("h2", t("keysHelp")),
      keyList(),
      h("h2", t("fieldRules")),
      h("p", t("fieldRulesText")),
      settingGroup(modules.map(moduleRules)),
    ],
  };
}

/** @param {CatalogModule} module */
function moduleRules({ code, fields, rules }) {
  return settingFold({ name: label(code) }, [
    h("dl.values", fields.flatMap((field) => pair(label(field.name), fieldText(field)))),
    rules.length > 0 &&
    h(
      "ul.small",
      rules.map(({ name, fields }) =>
        h("li", `${fields.map(label).join(", ")}: ${ruleText(name)}`)
      ),
    ),
  ]);
}

/** @param {CatalogField} field */
function fieldText({ edit, required, sensitive, options = [], minimum, maximum, maximumLength }) {
  return [
    t(EDITS[edit]),
    options.length > 0 && `${options.map(label).join(", ")}.`,
    required && t("isRequired"),
    sensitive && t("isSensitive"),
    minimum !== undefined && t("atLeast", { minimum }),
    maximum !== undefined && t("atMost", { maximum }),
    maximumLength !== undefined && t("longest", { count: maximumLength }),
  ].filter(Boolean).join(" ");
}

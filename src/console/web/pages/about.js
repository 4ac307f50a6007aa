import { label, readCatalog } from "../core/names.js";
import { h, t } from "../core/base.js";
import { keyList } from "../core/background.js";

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
export default async function about() {
  const [modules, version] = await Promise.all([readCatalog(), readVersion()]);
  return {
    title: t("about"),
    body: [
      h("p", `Personal Records Service ${version}`),
      h("p", h("a", { href: "/api/v2/openapi.json", download: true }, t("apiDescription"))),
      h("h2", t("mayLoad")),
      h("p", t("mayLoadText")),
      h("p", t("mayLoadWhy")),
      h("h2", t("mayKeep")),
      h(
        "ul",
        [t("keepsSession"), t("keepsDrafts"), t("keepsSettings")].map((text) => h("li", text)),
      ),
      h("p", t("keepsNothingElse")),
      h("h2", t("keysHelp")),
      keyList(),
      h("h2", t("fieldRules")),
      h("p", t("fieldRulesText")),
      modules.map(moduleRules),
    ].flat(),
  };
}

/** At the start of the API's description; only that part is read. */
async function readVersion() {
  const response = await fetch("/api/v2/openapi.json").catch(() => null);
  const reader = response?.body?.getReader();
  const { value } = await reader?.read() ?? {};
  void reader?.cancel();
  return /"version":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1] ?? "";
}

/** @param {CatalogModule} module */
function moduleRules({ code, fields, rules }) {
  return h(
    "details",
    h("summary", label(code)),
    h(
      "dl.values",
      fields.map((field) => [h("dt", label(field.name)), h("dd", fieldText(field))]).flat(),
    ),
    rules.length > 0 && h(
      "ul.small",
      { lang: "en" },
      rules.map(({ statement }) => h("li", statement)),
    ),
  );
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

/** All records of a module; sensitive fields on request. */

import { ApiError, failureText, fill, h, t } from "../core/base.js";
import { label, notFound, readModule } from "../core/names.js";
import { counted, plainValue, valuesList } from "../fields/shown.js";
import { readAll } from "./drafts.js";
import { presentValues, rootFacts } from "./root_parts.js";

/**
 * The generic list omits sensitive fields of modules with dedicated routes: their own lists, and title
 * fields.
 */
const OWN_LISTS = /** @type {Readonly<Record<string, { list: string, title: string }>>} */ ({
  memory: { list: "/api/v2/memory/texts", title: "title" },
  relationship: { list: "/api/v2/relationship/people", title: "personName" },
  decision: { list: "/api/v2/decision/decisions", title: "question" },
  resource: { list: "/api/v2/resource/resources", title: "name" },
});
/** Not printed: on the screen a model's text shows its origin. */
const OF_MODELS = new Set(["aiDraft"]);

/** @type {Page} */
export default async function print({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const secrets = h("input", { type: "checkbox" });
  const button = h("button.main", { onclick: () => globalThis.print() });
  const records = h("div");
  /** Only the last request is shown. */
  let asked = 0;
  const show = async () => {
    const own = ++asked;
    const withSecrets = secrets.checked;
    button.disabled = true;
    const shown = await readRecords(module, withSecrets).then((items) => [
      h("p.quiet", counted(items.length, "oneRecord", "manyRecords")),
      ...items.map((item) => article(module, item, withSecrets)),
    ]).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      return [h("p", failureText(error.code))];
    });
    if (own !== asked) return;
    fill(records, shown);
    button.disabled = false;
  };
  secrets.addEventListener("change", show);
  fill(button, t("print"));
  await show();
  return {
    title: label(module.code),
    body: [h("div.bar", button, h("label.choice", secrets, t("includeSensitive"))), records],
  };
}

/** @param {CatalogModule} module @param {boolean} withSecrets */
async function readRecords({ code, fields }, withSecrets) {
  const own = OWN_LISTS[code];
  if (own === undefined || !withSecrets) return await readAll(`/api/v2/records/${code}?limit=100`);
  const items = await readAll(`${own.list}?limit=100`);
  const shown = fields.filter(({ name }) => !OF_MODELS.has(name) && name !== own.title);
  return items.map((item) => ({
    ...item,
    title: item[own.title],
    summary: item.summary ?? "",
    payload: presentValues(shown, item),
  }));
}

/** @param {CatalogModule} module @param {any} record @param {boolean} withSecrets */
function article({ fields }, record, withSecrets) {
  const { title, summary, payload, redacted } = record;
  return h(
    "article",
    h("h2.words", redacted ? t("hidden") : title),
    summary !== "" && h("p.words", summary),
    valuesList(
      fields,
      payload,
      ({ sensitive, ...field }, value) =>
        sensitive && !withSecrets ? h("span.quiet", t("notPrinted")) : plainValue(field, value),
    ),
    rootFacts(record),
  );
}

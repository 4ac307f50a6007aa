/** A module on paper, and files. */

import { ApiError } from "../../core/base/api.js";
import { fill, h } from "../../core/base/elements.js";
import { failureText, t } from "../../core/base/language.js";
import { readAll } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { notLoaded, thisVisit, visit } from "../../core/base/visits.js";
import { label, notFound, readModule } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { counted, sizeText } from "../../fields/shown/figures.js";
import { isPicture, keepFile, namedFile, playerOf } from "../../fields/shown/files.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { timeTag } from "../../fields/shown/times.js";
import { isReference, valuesList } from "../../fields/shown/values.js";
import { listPage } from "../parts/lists.js";
import { loadDrawing, presentValues, rootFacts } from "../parts/objects.js";

/** Modules with dedicated routes, whose sensitive fields the generic list omits. */
const OWN_LISTS = /** @type {Readonly<Record<string, { list: string, title: string }>>} */ ({
  memory: { list: "/api/v2/memory/texts", title: "title" },
  relationship: { list: "/api/v2/relationship/people", title: "personName" },
  decision: { list: "/api/v2/decision/decisions", title: "question" },
  resource: { list: "/api/v2/resource/resources", title: "name" },
});

/** Not printed: on the screen a model's text shows its origin. */
const OF_MODEL = "aiDraft";

/** @type {Page} */
export async function printPage({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const { writtenValue } = await loadDrawing();
  const secrets = h("input", { type: "checkbox" });
  const button = h("button.main", { onclick: () => globalThis.print() }, t("print"));
  const records = h("div");
  /** Only the last request is shown. */
  let asked = 0;
  const show = async () => {
    const own = ++asked;
    const withSecrets = secrets.checked;
    button.disabled = true;
    const shown = await readRecords(module, withSecrets).then(async (items) => {
      const draw = await drawNames(module, items, writtenValue);
      return [
        h("p.quiet", counted(items.length, "manyRecords")),
        ...items.map((item) => article(module, item, withSecrets, draw)),
      ];
    }).catch((error) => {
      // Replaces the earlier choice, which may be sensitive.
      if (!(error instanceof ApiError)) throw error;
      return [h("p", failureText(error.code))];
    });
    if (own !== asked) return;
    fill(records, shown);
    button.disabled = false;
  };
  secrets.addEventListener("change", show);
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
  const shown = fields.filter(({ name }) => name !== OF_MODEL && name !== own.title);
  return items.map((item) => ({
    ...item,
    title: item[own.title],
    summary: item.summary ?? "",
    payload: presentValues(shown, item),
  }));
}

/** Each costs a request. */
const MAX_NAMED = 40;

/**
 * Draws references as titles: of printed records, and of a few others.
 * @param {CatalogModule} module @param {readonly any[]} items @param {DrawValue} draw
 * @returns {Promise<DrawNamed>}
 */
async function drawNames({ fields }, items, draw) {
  const naming = fields.filter(isReference);
  const found = items.flatMap(({ payload }) => naming.map(({ name }) => [name, payload?.[name]]));
  const stated = found.flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]));
  if (stated.length === 0) return draw;
  const { nameOf, REFERENCES } = await import("../../fields/references.js").catch(notLoaded);
  const titles = new Map(items.map(({ recordId, title }) => [recordId, title]));
  const others = new Map(stated.map(([name, value]) => [value, name]));
  const unknown = [...others]
    .filter(([value, name]) => !titles.has(value) && !REFERENCES[name]?.isName)
    .slice(0, MAX_NAMED);
  await Promise.all(unknown.map(async ([value, name]) => {
    titles.set(value, (await nameOf(REFERENCES[name] ?? {}, value)).text);
  }));
  const titleOf = (/** @type {string} */ value) => titles.get(value) ?? value;
  return (field, value) =>
    isReference(field)
      ? draw(field, Array.isArray(value) ? value.map(titleOf) : titleOf(value))
      : draw(field, value);
}

/**
 * @param {CatalogModule} module @param {any} record @param {boolean} withSecrets
 * @param {DrawNamed} draw
 */
function article({ fields }, record, withSecrets, draw) {
  const { title, summary, payload, redacted } = record;
  return h(
    "article",
    h("h2.words", redacted ? t("hidden") : title),
    // That of a typed object may be one of its values.
    summary !== "" && !fields.some(({ options }) => options?.includes(summary)) &&
      h("p.words", summary),
    valuesList(
      // A module's own title repeats the record's.
      fields.filter(({ name, edit }) => edit !== "text" || payload?.[name] !== title),
      payload,
      ({ sensitive, ...field }, value) =>
        sensitive && !withSecrets ? h("span.quiet", t("notPrinted")) : draw(field, value),
    ),
    rootFacts(record),
  );
}

/** @type {Page} */
export async function filesPage({ query }) {
  const controls = may("attachment.write") ? await fileControls() : [];
  return await listPage(query, {
    title: t("files"),
    api: "/api/v2/attachments",
    above: () => h("div.bar", controls),
    line: fileLine,
  });
}

/** @param {any} file */
function fileLine(file) {
  keepFile(file);
  const { attachmentId, filename, createdAt, size } = file;
  const player = playerOf(file);
  const sign = kindSymbol("media", player === null ? "files" : "microphone");
  return row({
    anchor: isPicture(file) ? smallPicture([attachmentId], filename, sign) : sign,
    name: namedFile(file),
    facts: [sizeText(size), timeTag(createdAt)],
    more: [player],
  });
}

/**
 * Uploads files without a record, wherever they are dropped. The list shows them when all are
 * uploaded.
 */
async function fileControls() {
  const [{ fileAdder, receiveFiles }, { allSmallPictures }] = await Promise.all([
    import("../../fields/files/adder.js"),
    import("../../fields/pictures/all.js"),
  ]).catch(notLoaded);
  const here = thisVisit();
  const changed = async () => {
    if (!adder.isRunning() && adder.problem() === "") await visit(location.pathname, here);
  };
  const adder = fileAdder({ isKept: true, changed });
  receiveFiles(document.body, (files) => adder.take(files), here);
  return [adder.element, allSmallPictures()];
}

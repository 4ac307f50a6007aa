/** The form that maps columns to fields. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { labelled, readCatalog } from "../../core/names.js";
import { choiceField, choicesOf } from "../../fields/controls/choices.js";
import { form } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { enteredFields } from "../../fields/shown/entered.js";
import { tableStart } from "../../logic/table_file.js";
import { rowsBelow } from "../../logic/table_rows.js";
import { answered, sending, zoneField, zoneOf } from "../import_forms.js";
import { keptFile, ownName, parsed } from "../import_parts.js";
import { ConstantFields } from "./constants.js";

/** Options without a field in the form of columns stay as they are. @param {any} mapping */
function otherOptions(mapping) {
  const names = ["table", "headerLine", "delimiter", "encoding", "tagsBy"];
  const known = names.filter((name) => mapping?.[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, mapping[name]]));
}

/** @param {any} data */
export async function columnsForm(data) {
  const modules = (await readCatalog()).filter(canBeRows);
  const before = data.mapping ?? {};
  const target = targetField(modules, before.target);
  const [rows, { numberField }] = await Promise.all([firstRows(data), enteredFields()]);
  /** @type {readonly ColumnField[]} */
  const columns = (data.columns ?? []).map((/** @type {string} */ name, /** @type {number} */ at) =>
    columnField(name, rows.map((cells) => cells[at] ?? ""))
  );
  const rest = listField({ name: "rest", label: t("otherColumns") });
  const constants = new ConstantFields(before.constants ?? {}, numberField);
  const offer = () => {
    const fields = modules.find(({ code }) => code === target.text())?.fields ?? [];
    offerFields(fields, columns, rest, before);
    constants.offer(fields);
    constants.arrange(answered(columns));
  };
  target.element.addEventListener("change", offer);
  offer();
  const more = valueFields(data, before, rows);
  const zone = zoneField(data);
  const submit = sending(data, () => {
    const mapped = answered(columns);
    const hasKey = Object.values(mapped).includes("@key");
    const { values, key, ...others } = answered(more);
    return {
      ...otherOptions(before),
      target: target.text(),
      ...constants.mappingOf(mapped),
      ...(values !== undefined && { values: parsed(values) }),
      ...(key !== undefined && !hasKey && { key: [key] }),
      ...answered([rest]),
      ...others,
      ...zoneOf(zone),
    };
  });
  const fields = [target, ...columns.map(({ row }) => row), rest.row, ...more, zone];
  const element = form(fields, t("planAgain"), submit);
  rest.row.element.before(constants.element);
  // A column that fills a field takes the place of its constant.
  element.addEventListener("change", () => constants.arrange(answered(columns)));
  return element;
}

/** @param {readonly CatalogModule[]} modules @param {string} [initial] */
function targetField(modules, initial = "commitment") {
  const row = { name: "target", label: t("rowsBecome"), required: true, initial };
  return choiceField(row, labelled(modules.map(({ code }) => code)));
}

/**
 * Offers the fields of the chosen target.
 * @param {readonly CatalogField[]} fields @param {readonly ColumnField[]} columns
 * @param {ColumnField} rest @param {any} before The earlier mapping.
 */
function offerFields(fields, columns, rest, before) {
  const names = labelled(fields.map(({ name }) => name));
  for (const column of columns) {
    const chosen = before.columns?.[column.name] ?? "";
    column.offer([...members(), ...names], [chosen].flat()[0] ?? "");
  }
  const texts = fields.filter(({ edit }) => edit === "textarea").map(({ name }) => name);
  rest.offer(labelled(texts), before.rest ?? "");
}

/** Memories are the only family that rows can become. @param {CatalogModule} module */
function canBeRows({ code, entry }) {
  return entry === "GENERIC" || code === "memory";
}

/**
 * How cells are read, and rows are known.
 * @param {any} data @param {any} before The earlier mapping.
 * @param {readonly (readonly string[])[]} rows
 */
function valueFields({ columns, suggestedKey }, before, rows) {
  const key = before.target === undefined ? suggestedKey?.[0] : before.key?.[0];
  return [
    choiceField(
      { name: "key", label: t("rowKey"), hint: t("rowKeyHint"), initial: key ?? "" },
      labelled(columns ?? [], String),
    ),
    lineField({
      name: "values",
      label: t("otherCells"),
      hint: t("otherCellsHint"),
      initial: before.values === undefined ? "" : JSON.stringify(before.values),
    }),
    choiceField(
      {
        name: "dates",
        label: t("datesAre"),
        required: true,
        initial: before.dates ?? datesOf(rows),
      },
      choicesOf({
        ISO: "2021-12-31",
        DMY: "31.12.2021",
        MDY: "12/31/2021",
        EXCEL: t("datesExcel"),
      }),
    ),
    choiceField(
      { name: "decimal", label: t("decimalMark"), initial: before.decimal ?? markOf(rows) },
      choicesOf({ ".": "1,234.5", ",": "1.234,5" }),
    ),
  ];
}

/**
 * The form of dates, if the first rows show which one it is.
 * @param {readonly (readonly string[])[]} rows
 */
function datesOf(rows) {
  const cells = rows.flat();
  if (cells.some((cell) => /^\d{1,2}\.\d{1,2}\.\d{4}\b/.test(cell))) return "DMY";
  return cells.some((cell) => /^\d{1,2}\/(?:1[3-9]|[23]\d)\/\d{4}\b/.test(cell)) ? "MDY" : "ISO";
}

/**
 * The decimal mark, if the first rows show that it is a comma.
 * @param {readonly (readonly string[])[]} rows
 */
function markOf(rows) {
  return rows.flat().some((cell) => /^[+-]?\d+,(?:\d{1,2}|\d{4,})\b/.test(cell)) ? "," : "";
}

/** The file is in memory only on the visit on which it was chosen. @param {any} data */
async function firstRows({ importId, columns, tables, mapping }) {
  const file = keptFile(importId);
  if (file === null || columns === null) return [];
  const bytes = await tableStart(file, tables, mapping?.table).catch(() => new Uint8Array());
  return rowsBelow(bytes, columns);
}

/** The members of an item, which every target has. */
function members() {
  return choicesOf({
    "@title": t("title"),
    "@summary": t("summary"),
    "@key": t("asKey"),
    "@recordedAt": t("asRecordedAt"),
    "@tags": t("tags"),
  });
}

/** Characters of a cell that are shown. */
const MAX_CELL = 60;

/** @param {string} name @param {readonly string[]} cells */
function columnField(name, cells) {
  const shown = cells.map((cell) => cell.slice(0, MAX_CELL) || "–");
  const hint = shown.length === 0 ? undefined : ownName(shown.join(" · "));
  return listField({ name, label: name, hint });
}

/** A list whose choices follow the target. @param {FieldRow} about @returns {ColumnField} */
function listField(about) {
  // Five choices are a list.
  const row = choiceField(about, members());
  const select = /** @type {HTMLSelectElement} */ (row.element.querySelector("select"));
  return {
    name: about.name,
    row,
    text: () => select.value,
    offer(offered, chosen) {
      const kept = select.value === "" ? chosen : select.value;
      const choices = [{ value: "", label: t("leaveOut") }, ...offered];
      fill(select, choices.map(({ value, label }) => h("option", { value }, label)));
      select.value = kept;
      if (select.value !== kept) select.value = "";
    },
  };
}

/** The forms of a table: reading options, and the mapping of columns. */

import { fill, h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { notLoaded } from "../core/base/visits.js";
import { label, labelled, readCatalog } from "../core/names.js";
import { choiceField, choicesOf } from "../fields/controls/choices.js";
import { form } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { tableStart } from "../logic/table_file.js";
import { rowsBelow } from "../logic/table_rows.js";
import { answered, encodingField, sending, zoneField, zoneOf } from "./import_forms.js";
import { keptFile, ownName, parsed } from "./import_parts.js";

/** @type {MappingForm} */
export async function tableForms(data, sample) {
  const columns = [readingForm(data), h("h2", t("mapColumns")), await columnsForm(data)];
  if (data.presets.length === 0) return columns;
  const { presetForm } = await import("./import_options.js").catch(notLoaded);
  const { peopleForms } = await import("./import_people.js").catch(notLoaded);
  const isPeople = data.counts.person !== undefined;
  return [
    ...await presetForm(data, sample),
    ...isPeople ? await peopleForms(data, sample) : [],
    h("details.more", h("summary", t("withoutPreset")), columns),
  ];
}

/** Folded, unless the file needs it or it was used. @param {any} data */
function readingForm(data) {
  const { mapping, tables, encoding } = data;
  const table = choiceField(
    { name: "table", label: t("table"), required: true, initial: mapping?.table ?? "" },
    [...choicesOf({ "": t("largestTable") }), ...labelled(tables ?? [], String)],
  );
  const header = lineField({
    name: "headerLine",
    label: t("headerLine"),
    hint: t("headerLineHint"),
    inputmode: "numeric",
    initial: String(mapping?.headerLine ?? ""),
  });
  const delimiter = choiceField(
    { name: "delimiter", label: t("delimiter"), initial: mapping?.delimiter ?? "" },
    choicesOf({ ",": ",", ";": ";", tab: t("tabMark"), "|": "|" }),
  );
  const hasTables = tables?.length > 1;
  const fields = [...hasTables ? [table] : [], header, delimiter, encodingField(mapping)];
  const submit = sending(data, () => {
    const { headerLine, ...others } = answered(fields);
    return { ...others, ...(headerLine !== undefined && { headerLine: Number(headerLine) }) };
  });
  const isUnknown = encoding === "unknown";
  const isUsed = fields.some(({ text }) => text() !== "");
  return h(
    "details.more",
    { open: hasTables || isUnknown || isUsed },
    h("summary", t("readTable")),
    isUnknown && h("p", t("encodingUnknown")),
    form(fields, t("readAgain"), submit),
  );
}

/** Options without a field in the form of columns stay as they are. @param {any} mapping */
function otherOptions(mapping) {
  const names = ["table", "headerLine", "delimiter", "encoding", "tagsBy"];
  const known = names.filter((name) => mapping?.[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, mapping[name]]));
}

/** @param {any} data */
async function columnsForm(data) {
  const modules = (await readCatalog()).filter(canBeRows);
  const before = data.mapping ?? {};
  const target = choiceField(
    {
      name: "target",
      label: t("rowsBecome"),
      required: true,
      initial: before.target ?? "commitment",
    },
    labelled(modules.map(({ code }) => code)),
  );
  const rows = await firstRows(data);
  /** @type {readonly ColumnField[]} */
  const columns = (data.columns ?? []).map((/** @type {string} */ name, /** @type {number} */ at) =>
    columnField(name, rows.map((cells) => cells[at] ?? ""))
  );
  const rest = listField({ name: "rest", label: t("otherColumns") });
  const needed = h("div.small");
  /** Offers the fields of the chosen target. */
  const offer = () => {
    const fields = modules.find(({ code }) => code === target.text())?.fields ?? [];
    const names = labelled(fields.map(({ name }) => name));
    for (const column of columns) {
      const chosen = before.columns?.[column.name] ?? "";
      column.offer([...members(), ...names], [chosen].flat()[0] ?? "");
    }
    const texts = fields.filter(({ edit }) => edit === "textarea").map(({ name }) => name);
    rest.offer(labelled(texts), before.rest ?? "");
    fill(needed, neededFields(fields));
  };
  target.element.addEventListener("change", offer);
  offer();
  const more = valueFields(data, before);
  const zone = zoneField(data);
  const submit = sending(data, () => {
    const mapped = answered(columns);
    const hasKey = Object.values(mapped).includes("@key");
    const { constants, values, key, ...others } = answered(more);
    return {
      ...otherOptions(before),
      target: target.text(),
      columns: mapped,
      ...(constants !== undefined && { constants: parsed(constants) }),
      ...(values !== undefined && { values: parsed(values) }),
      ...(key !== undefined && !hasKey && { key: [key] }),
      ...answered([rest]),
      ...others,
      ...zoneOf(zone),
    };
  });
  target.element.append(needed);
  const fields = [target, ...columns.map(({ row }) => row), rest.row, ...more, zone];
  return form(fields, t("planAgain"), submit);
}

/** Memories are the only family that rows can become. @param {CatalogModule} module */
function canBeRows({ code, entry }) {
  return entry === "GENERIC" || code === "memory";
}

/** Fields that the title fills. */
const NAMING = /(?:Name|Title)$/;

/**
 * The fields without which no row comes in, with their names and options in a mapping.
 * @param {readonly CatalogField[]} fields
 */
function neededFields(fields) {
  const needed = fields.filter(({ name, required }) => required && !NAMING.test(name));
  const lines = needed.map(({ name, options = [] }) => {
    const exact = [name, ...options].join(", ").replace(", ", ": ");
    return h("li", `${label(name)} · `, h("span.exact", exact));
  });
  return lines.length === 0 ? [] : [h("p", t("rowsNeed")), h("ul", lines)];
}

/** Fields that apply to every row. @param {any} data @param {any} before The earlier mapping. */
function valueFields({ columns, suggestedKey }, before) {
  const key = before.target === undefined ? suggestedKey?.[0] : before.key?.[0];
  return [
    choiceField(
      { name: "key", label: t("rowKey"), hint: t("rowKeyHint"), initial: key ?? "" },
      labelled(columns ?? [], String),
    ),
    lineField({
      name: "constants",
      label: t("fixedValues"),
      hint: t("fixedValuesHint"),
      initial: before.constants === undefined ? "" : JSON.stringify(before.constants),
    }),
    lineField({
      name: "values",
      label: t("otherCells"),
      hint: t("otherCellsHint"),
      initial: before.values === undefined ? "" : JSON.stringify(before.values),
    }),
    choiceField(
      { name: "dates", label: t("datesAre"), required: true, initial: before.dates ?? "ISO" },
      choicesOf({
        ISO: "2021-12-31",
        DMY: "31.12.2021",
        MDY: "12/31/2021",
        EXCEL: t("datesExcel"),
      }),
    ),
    choiceField(
      { name: "decimal", label: t("decimalMark"), initial: before.decimal ?? "" },
      choicesOf({ ".": "1,234.5", ",": "1.234,5" }),
    ),
  ];
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

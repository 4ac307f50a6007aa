/** The form of a mapping, drawn from its schema and the groups of the sample. */

import { h } from "../core/base/elements.js";
import { t, textOf } from "../core/base/language.js";
import { label, labelled } from "../core/names.js";
import { choiceField, choicesOf } from "../fields/controls/choices.js";
import { form } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { IMPORT_FORMATS } from "../logic/import_formats.js";
import { sending } from "./import_forms.js";
import { ownName, parsed, typeText } from "./import_parts.js";

/** Groups, or series, that have a field. */
const MAX_NAMES = 50;

/** @type {MappingForm} */
export function optionsForm(data, sample) {
  const options = optionFields(data, sample);
  const submit = sending(data, () => valuesOf(options));
  return Promise.resolve([
    ...seriesTable(sample),
    h(
      "details.more",
      { open: data.mapping !== null },
      h("summary", t("optionsTitle")),
      form(options.map(({ field }) => field), t("planAgain"), submit),
    ),
  ]);
}

/** The options of a preset of a table, with the choice of the preset. @type {MappingForm} */
export function presetForm(data, sample) {
  const { presets, mapping } = data;
  const preset = choiceField(
    { name: "preset", label: t("preset"), required: true, initial: mapping?.preset ?? presets[0] },
    presets.map((/** @type {string} */ value) => {
      return { value, label: textOf(`preset.${value}`, value) };
    }),
  );
  const options = optionFields(data, sample);
  const submit = sending(data, () => {
    const { duplicates, categories } = data.mapping ?? {};
    const kept = Object.entries({ duplicates, categories }).filter(([, value]) => value);
    return { preset: preset.text(), ...Object.fromEntries(kept), ...valuesOf(options) };
  });
  return Promise.resolve([
    h("h2", t("presetTitle")),
    form([preset, ...options.map(({ field }) => field)], t("planAgain"), submit, { shown: 3 }),
  ]);
}

/** @param {any} data @param {ImportSample} sample */
function optionFields({ format, mapping }, sample) {
  const options = Object.entries(IMPORT_FORMATS[format]?.options ?? {});
  return options.flatMap(([name, schema]) => fieldsOf({ name, schema }, mapping?.[name], sample));
}

/** @type {(option: ImportOption, initial: any, sample: ImportSample) => OptionField[]} */
function fieldsOf({ name, schema, path = [name] }, initial, sample) {
  const { type, properties, additionalProperties } = schema;
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([inner, schema]) =>
      fieldsOf({ name: inner, schema, path: [name, inner] }, initial?.[inner], sample)
    );
  }
  if (additionalProperties?.enum !== undefined) {
    const isType = name === "kinds";
    const names = isType ? sample.series : sample.groups;
    return names.slice(0, MAX_NAMES).map(({ name: group, count }) => {
      const title = `${isType ? typeText(group) : group} (${count})`;
      const row = { name: group, label: title, initial: initial?.[group] ?? "", isList: true };
      return { field: choiceField(row, wordsOf(additionalProperties)), path: [name, group] };
    });
  }
  const row = { name, label: optionText(path), initial: shown(initial) };
  if (schema.enum !== undefined) {
    const choices = path.length > 1 ? labelled(schema.enum, String) : wordsOf(schema);
    return [{ field: choiceField(row, choices), path }];
  }
  if (type === "boolean") {
    const field = choiceField(row, choicesOf({ true: t("yes"), false: t("no") }));
    return [{ field, path, read: (text) => text === "true" }];
  }
  if (type === "array") {
    const [first, ...others] = initial ?? [];
    const names = labelled(sample.groups.map(nameOf), String);
    const field = choiceField({ ...row, initial: shown(first), isList: true }, names);
    return [{ field, path, read: (text) => text === first ? initial : [text, ...others] }];
  }
  if (type === "object") {
    const inJson = { ...row, label: textOf(`option.${name}.words`, row.label) };
    return [{ field: lineField({ ...inJson, hint: t("optionAsJson") }), path, read: parsed }];
  }
  const isNumber = type === "integer" || type === "number";
  const field = lineField({ ...row, ...(isNumber && { inputmode: "numeric" }) });
  return [{ field, path, ...(isNumber && { read: Number }) }];
}

/** @param {readonly string[]} path */
function optionText([name = "", inner]) {
  if (inner !== undefined) return `${t("option.unit")}: ${label(inner)}`;
  return textOf(`option.${name}`, label(name));
}

/** @param {{ enum?: readonly string[] }} schema */
function wordsOf({ enum: words = [] }) {
  return words.map((value) => {
    return { value, label: textOf(`word.${value}`, label(value)) };
  });
}

/** @param {{ name: string }} group */
function nameOf({ name }) {
  return name;
}

/** A value of a mapping as the text of a field. @param {any} value */
function shown(value) {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The mapping of the fields that are not empty. @param {readonly OptionField[]} options */
function valuesOf(options) {
  /** @type {any} */
  const mapping = {};
  for (const { field, path: [name, inner], read } of options) {
    const text = field.text().trim();
    if (text === "" || name === undefined) continue;
    const value = read === undefined ? text : read(text);
    if (inner === undefined) mapping[name] = value;
    else mapping[name] = { ...mapping[name], [inner]: value };
  }
  return mapping;
}

/** @param {ImportSample} sample */
function seriesTable({ series }) {
  if (series.length === 0) return [];
  const heads = [t("seriesName"), t("seriesCount"), t("seriesGroups")];
  const rows = series.map(({ name, count, groups }) =>
    h(
      "tr",
      h("th", { scope: "row" }, ownName(typeText(name))),
      h("td", String(count)),
      h("td", ownName(groups.join(", "))),
    )
  );
  return [
    h("h2", t("seriesTitle")),
    h(
      "div.scrolls",
      { tabindex: 0, role: "region", "aria-label": t("seriesTitle") },
      h(
        "table",
        h("thead", h("tr", heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", rows),
      ),
    ),
  ];
}

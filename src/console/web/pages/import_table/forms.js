/** The forms of a table: reading options, and the mapping of columns. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { labelled } from "../../core/names.js";
import { choiceField, choicesOf } from "../../fields/controls/choices.js";
import { form } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { answered, encodingField, sending } from "../import_forms.js";
import { columnsForm } from "./columns.js";

/** @type {MappingForm} */
export async function tableForms(data, sample) {
  const columns = [readingForm(data), h("h2", t("mapColumns")), await columnsForm(data)];
  if (data.presets.length === 0) return columns;
  const { presetForm } = await import("../import_options.js").catch(notLoaded);
  const { peopleForms } = await import("../import_people.js").catch(notLoaded);
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

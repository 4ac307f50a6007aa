/** Mapping of a CSV file's columns. */

import { label, readCatalog } from "../../core/names.js";
import { h, t } from "../../core/base.js";
import { choiceField, form, lineField } from "../../fields/controls.js";
import { sending, zoneField } from "./sending.js";

/** @param {Session} session @param {any} data @param {string} page */
export async function csvForm(session, data, page) {
  const modules = (await readCatalog()).filter(({ code }) => code !== "taxonomy");
  const before = data.mapping ?? { columns: {}, constants: {} };
  const targets = modules.map(({ code }) => ({ value: code, label: label(code) }));
  const target = choiceField({ name: "target", label: t("rowsBecome"), required: true }, targets);
  target.setText(before.target ?? "commitment");
  const columns = (data.columns ?? []).map((/** @type {string} */ column) => ({
    column,
    field: columnField(column),
  }));
  /** Offers the fields of the chosen target. */
  const offer = () => {
    const module = modules.find(({ code }) => code === target.text());
    const fields = (module?.fields ?? []).map(({ name }) => name);
    for (const { column, field } of columns) field.offer(fields, before.columns[column] ?? "");
  };
  target.element.addEventListener("change", offer);
  offer();
  const constants = lineField({
    name: "constants",
    label: t("fixedValues"),
    hint: t("fixedValuesHint"),
  });
  constants.setText(before.constants === undefined ? "" : JSON.stringify(before.constants));
  const dates = choiceField({ name: "dates", label: t("datesAre"), required: true }, [
    { value: "ISO", label: "2021-12-31" },
    { value: "DMY", label: "31.12.2021" },
    { value: "MDY", label: "12/31/2021" },
  ]);
  dates.setText(before.dates ?? "ISO");
  const zone = zoneField(data);
  const submit = sending(session, data, page, () => ({
    target: target.text(),
    columns: Object.fromEntries(
      columns.map((/** @type {any} */ { column, field }) => [column, field.text()])
        .filter((/** @type {string[]} */ [, chosen]) => chosen !== ""),
    ),
    ...(constants.text().trim() !== "" && { constants: parsed(constants.text()) }),
    dates: dates.text(),
    ...(zone.text().trim() !== "" && { timeZone: zone.text().trim() }),
  }));
  return form(
    [target, ...columns.map((/** @type {any} */ { field }) => field.row), constants, dates, zone],
    t("planAgain"),
    submit,
  );
}

/** A text that is not JSON is sent as it is: the service names the field. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const MEMBERS = /** @type {const} */ ({
  "@title": "asTitle",
  "@summary": "asSummary",
  "@key": "asKey",
  "@recordedAt": "asRecordedAt",
  "@tags": "asTags",
});

/** @param {string} column */
function columnField(column) {
  // A list needs five choices: the members are more.
  const members = Object.entries(MEMBERS).map(([value, name]) => ({ value, label: t(name) }));
  const row = choiceField({ name: column, label: column }, members);
  const select = /** @type {HTMLSelectElement} */ (row.element.querySelector("select"));
  return {
    row,
    text: () => select.value,
    /** @param {readonly string[]} fields @param {string} chosen */
    offer(fields, chosen) {
      const kept = select.value === "" ? chosen : select.value;
      const options = [
        h("option", { value: "" }, t("leaveOut")),
        ...members.map(({ value, label }) => h("option", { value }, label)),
        ...fields.map((name) => h("option", { value: name }, label(name))),
      ];
      select.replaceChildren(...options);
      select.value = kept;
      if (select.value !== kept) select.value = "";
    },
  };
}

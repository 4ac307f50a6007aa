/** Values that are the same for every row: fields of the target without a column. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { label, labelled } from "../../core/names.js";
import { choiceField, choicesOf } from "../../fields/controls/choices.js";
import { lineField } from "../../fields/controls/lines.js";
import { firstTexts, toText, toValue } from "../../fields/shown/texts.js";

/** Fields that the title fills. */
const NAMING = /(?:Name|Title)$/;
/** Only columns fill times, files and lists. */
const EDITS = ["select", "text", "textarea", "number", "boolean"];
const TITLE = "@title";

export class ConstantFields {
  element = h("div");
  /** @type {readonly (readonly [CatalogField, Field])[]} */
  #fields = [];
  /** The fields of the target that are times. @type {readonly string[]} */
  #times = [];
  /** The kind of the rows in words: their title until another one is typed. */
  #kind = "";

  /**
   * @param {Values} stated Those of the earlier mapping.
   * @param {(row: LineRow) => Field} numberField
   */
  constructor(stated, numberField) {
    this.stated = stated;
    this.numberField = numberField;
    const row = { name: "rowTitle", label: t("rowTitle"), hint: t("rowTitleHint"), words: true };
    this.title = lineField({ ...row, initial: stated[TITLE] ?? "" });
    this.element.addEventListener("change", () => this.#suggestTitle());
  }

  /** Shows the fields of a target. @param {readonly CatalogField[]} fields */
  offer(fields) {
    const offered = fields.filter(({ name, edit }) => EDITS.includes(edit) && !NAMING.test(name));
    this.#fields = offered.map((field) => [field, this.#fieldFor(field)]);
    this.#times = fields.filter(({ edit }) => edit === "datetime").map(({ name }) => name);
    const [needed, others] = [true, false].map((isNeeded) =>
      this.#fields.filter(([{ required }]) => required === isNeeded).map(([, field]) => field)
    );
    const open = others?.some(({ text }) => text() !== "");
    fill(
      this.element,
      h("p.hint", t("rowsNeed")),
      this.title.element,
      needed?.map(({ element }) => element),
      h(
        "details.more",
        { open },
        h("summary", t("fixedValues")),
        others?.map((each) => each.element),
      ),
    );
    this.#suggestTitle();
  }

  /** Hides the fields that columns fill. @param {Texts} mapped Fields by column. */
  arrange(mapped) {
    const filled = new Set(Object.values(mapped));
    this.title.element.hidden = filled.has(TITLE);
    for (const [{ name }, { element }] of this.#fields) element.hidden = filled.has(name);
  }

  /** The columns and constants of a mapping. @param {Texts} mapped */
  mappingOf(mapped) {
    const own = this.#fields.filter(([, { element, text }]) => !element.hidden && text() !== "")
      .map(([field, { text }]) => [field.name, toValue(field, text()) ?? text()]);
    const names = new Set([TITLE, ...this.#fields.map(([{ name }]) => name)]);
    const others = Object.entries(this.stated).filter(([name]) => !names.has(name));
    const title = this.title.element.hidden ? "" : this.title.text();
    // The service adds the row's time to the title.
    const time = Object.entries(mapped).find(([, name]) => this.#times.includes(name));
    const titled = title !== "" && time && { [time[0]]: [time[1], TITLE] };
    const constants = [...others, ...own, ...title === "" ? [] : [[TITLE, title]]];
    return { columns: { ...mapped, ...titled }, constants: Object.fromEntries(constants) };
  }

  /** @param {CatalogField} field */
  #fieldFor(field) {
    const { name, edit, required, options = [] } = field;
    const first = required ? firstTexts([field], "")[name] ?? "" : "";
    const initial = this.stated[name] === undefined ? first : toText(field, this.stated[name]);
    const row = { name: `constant-${name}`, label: label(name), required, initial, isList: true };
    if (edit === "select") return choiceField(row, labelled(options));
    if (edit === "boolean") return choiceField(row, choicesOf({ true: t("yes"), false: t("no") }));
    return edit === "number" ? this.numberField(row) : lineField({ ...row, words: true });
  }

  #suggestTitle() {
    const kind = this.#fields.find(([{ name }]) => name === "metricType")?.[1].text() ?? "";
    const words = kind === "" ? "" : label(kind);
    if (this.title.text() === this.#kind) this.title.setText(words);
    this.#kind = words;
  }
}

/** `values`: a table of two columns, a time and a number. */

import { readNumber } from "../csv_number.ts";
import { type DateForm, readDated } from "../dates.ts";
import { healthItem, titleOf } from "./measurement.ts";
import { itemsOf, type Preset, refuseRow } from "./preset.ts";
import { PresetRow } from "./preset_row.ts";
import { requireTime } from "./preset_times.ts";
import type { TableHead } from "./table_head.ts";

const DATE_FORMS: readonly DateForm[] = ["ISO", "DMY", "MDY"];

export const VALUES: Preset = {
  name: "values",
  requires: ["metricType", "unit"],
  knows(head) {
    const { labels, firstRows: [first] } = head;
    return labels.length === 2 && (isHeadless(head) || isValue(first?.cells ?? []));
  },
  async *convert(table, { mapping }) {
    const { head, entry } = table;
    const [timeName = "", valueName = ""] = head.labels;
    const { metricType = "CUSTOM", unit = "" } = mapping;
    const isNamed = metricType === "CUSTOM" && !isHeadless(head);
    const title = mapping.title ?? (isNamed ? valueName : titleOf(metricType));
    const first = isHeadless(head) ? head.line : head.line + 1;
    for await (const plain of table.plainRows(first)) {
      const row = new PresetRow(plain, head, entry);
      yield* itemsOf(row, "health", () => {
        const key = row.text(timeName);
        const time = requireTime(key, mapping);
        const number = readNumber(row.text(valueName), null) ?? refuseRow("csv.number");
        if ((number.unit ?? unit).toLowerCase() !== unit.toLowerCase()) refuseRow("csv.unit");
        return [healthItem({ metricType, title, value: number.value, unit, time, key }, mapping)];
      });
    }
  },
};

/** True for a table that begins with a value instead of names. */
function isHeadless({ labels }: TableHead): boolean {
  return isValue(labels);
}

function isValue([time = "", value = ""]: readonly string[]): boolean {
  return DATE_FORMS.some((form) => readDated(time, form, "+00:00") !== null) &&
    readNumber(value, null) !== null;
}

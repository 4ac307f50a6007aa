/** One picture per measurement and unit. */

import { linePicture } from "../core/charts.js";
import { h, t } from "../core/base.js";
import { label } from "../core/names.js";

/**
 * @param {readonly any[]} records The health module's.
 * @returns {HTMLElement | false} false if no kind has two values to compare.
 */
export function healthPictures(records) {
  const measured = records.filter(({ redacted }) => !redacted).map(({ payload }) => ({
    kind: t("measuredIn", { name: label(payload.metricType), unit: payload.unit }),
    time: Date.parse(payload.measuredAt),
    value: payload.value,
  }));
  const kinds = [...Map.groupBy(measured, ({ kind }) => kind)];
  const compared = kinds.filter(([, points]) => points.length > 1);
  return compared.length > 0 &&
    h("section", compared.map(([kind, points]) => linePicture(kind, points)));
}

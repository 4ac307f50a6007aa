/** Beginnings of the lines of records. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { dateBlock, kindSymbol, valueAnchor } from "../../fields/shown/anchors.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { statedDay } from "../../logic/local_time.js";
import { viewOf } from "../parts/views.js";

/** Kinds whose lines begin with a date. */
const DATED = ["timeline", "review"];

/** The parts of a date that a vague time has. @type {Readonly<Record<string, "month" | "year">>} */
const PRECISIONS = { MONTH: "month", SEASON: "year", YEAR: "year", DECADE: "year" };

/**
 * A measured value, a finished box, a date, a small picture, or the symbol of the kind.
 * @param {CatalogModule} module @param {any} item
 */
export function anchorOf(
  { code, times, measure },
  { title, redacted, payload = {}, attachmentIds },
) {
  if (measure && !redacted) return valueAnchor(payload[measure.field], payload[measure.unit]);
  const view = viewOf(code);
  const state = payload[view.open?.field ?? ""];
  if (view.isDue && !redacted && state !== undefined) return boxOf(state === "COMPLETED");
  const occurredAt = times.map((name) => payload[name]).find((time) => time !== undefined);
  if (DATED.includes(code) && occurredAt !== undefined) {
    const { timePrecision = null } = payload;
    const day = statedDay({ occurredAt, timePrecision, timeRange: null });
    if (day !== null) return dateBlock(day, PRECISIONS[timePrecision] ?? "day");
  }
  if (code !== "media") return kindSymbol(code);
  return smallPicture(attachmentIds, title, h("span.anchor.small-picture", icon("camera")));
}

/** The box of a record that is not open; the facts have its state. @param {boolean} isDone */
function boxOf(isDone) {
  const look = isDone ? "anchor tick ticked" : "anchor tick";
  return h("span", { class: look, "aria-hidden": "true" }, icon(isDone ? "check" : "close"));
}

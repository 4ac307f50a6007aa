/** The figures that a resource has and a snapshot measures. */

import { orNull } from "../kit/columns.ts";
import { numeric } from "../kit/kinds.ts";

/** A figure, which may have no value. */
export const figure = orNull(numeric("number", { type: "number" }));

/** The figures; the level is a percentage. */
export const FIGURES = { amount: figure, capacity: figure, available: figure, level: figure };

/** The names of the figures. */
export const FIGURE_NAMES: readonly string[] = Object.keys(FIGURES);

import { orNull } from "../../kit/columns.ts";
import { numeric } from "../../kit/kinds.ts";

export const figure = orNull(numeric("number", { type: "number" }));

/** The level is a percentage. */
export const FIGURES = { amount: figure, capacity: figure, available: figure, level: figure };

export const FIGURE_NAMES: readonly string[] = Object.keys(FIGURES);

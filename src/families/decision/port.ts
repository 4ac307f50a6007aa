/** The part of decision for insight. */

export { calibrationOf, type TenthSums } from "./calibration.ts";
export { sumByTenth } from "./calibration_routes.ts";
export { type BelowTime, timesBelow } from "./times_below.ts";

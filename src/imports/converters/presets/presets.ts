/** All presets, in the order in which they are offered. */

import { FITBIT } from "./fitbit.ts";
import { GARMIN } from "./garmin.ts";
import { LOOP } from "./loop.ts";
import type { Preset } from "./preset.ts";
import { VALUES } from "./values.ts";
import { WITHINGS } from "./withings.ts";

export const PRESETS: readonly Preset[] = [
  LOOP,
  WITHINGS,
  FITBIT,
  GARMIN,
  VALUES,
];

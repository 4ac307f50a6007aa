/** All presets, in the order in which they are offered. */

import { DAYLIO } from "./daylio.ts";
import { FITBIT } from "./fitbit.ts";
import { GARMIN } from "./garmin.ts";
import { GOODREADS } from "./goodreads.ts";
import { GOOGLE_CONTACTS } from "./google_contacts.ts";
import { LOOP } from "./loop.ts";
import { OUTLOOK_CONTACTS } from "./outlook_contacts.ts";
import { POCKET } from "./pocket.ts";
import type { Preset } from "./preset.ts";
import { READWISE } from "./readwise.ts";
import { STORYGRAPH } from "./storygraph.ts";
import { VALUES } from "./values.ts";
import { WITHINGS } from "./withings.ts";

export const PRESETS: readonly Preset[] = [
  DAYLIO,
  LOOP,
  GOODREADS,
  STORYGRAPH,
  POCKET,
  READWISE,
  GOOGLE_CONTACTS,
  OUTLOOK_CONTACTS,
  WITHINGS,
  FITBIT,
  GARMIN,
  VALUES,
];

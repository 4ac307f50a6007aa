import { ENEX } from "./apps/enex.ts";
import { GOOGLE_KEEP } from "./apps/google_keep.ts";
import { JOPLIN } from "./apps/joplin.ts";
import { JOURNEY } from "./apps/journey.ts";
import { TEXTBUNDLE } from "./apps/textbundle.ts";
import { ICAL } from "./calendar/ical.ts";
import type { Converter } from "./converter.ts";
import { CSV } from "./csv.ts";
import { DAY_ONE } from "./day_one.ts";
import { APPLE_HEALTH } from "./health/apple_health.ts";
import { MARKDOWN } from "./markdown.ts";
import { MONICA } from "./monica.ts";
import { GOOGLE_TIMELINE } from "./places/google_timeline.ts";
import { PRS_ITEMS } from "./prs_items.ts";
import { VCARD } from "./vcard.ts";

/** In the order in which a file is recognized. */
export const CONVERTERS: readonly Converter[] = [
  PRS_ITEMS,
  TEXTBUNDLE,
  APPLE_HEALTH,
  ENEX,
  JOPLIN,
  JOURNEY,
  GOOGLE_KEEP,
  DAY_ONE,
  GOOGLE_TIMELINE,
  MONICA,
  ICAL,
  VCARD,
  CSV,
  MARKDOWN,
];

export function converterOf(format: string): Converter {
  const converter = CONVERTERS.find((each) => each.format === format);
  if (converter === undefined) throw new Error("An import has a format that no converter reads");
  return converter;
}

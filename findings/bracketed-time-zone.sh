#!/usr/bin/env bash
# Luxon 3.7.2, spacetime 7.15.0 and date-fns 4.4.0 (npm) accept a time with an offset and a time
# zone in brackets (RFC 9557), without its offset. Luxon and spacetime look for the time on the
# clock of the zone: "Z" is lost too, and of an hour that occurs twice Luxon selects the one whose
# offset the zone has at the moment of the call. date-fns reads the time as UTC; if the name has a
# capital T, the time is invalid.
#   Luxon, 2025-10-31T23:00:00Z[Asia/Tokyo]: 2025-10-31T14:00:00.000Z
#   spacetime, the same: 2025-10-31T14:00:00.000Z
#   Luxon, 2025-10-26T02:30:00+01:00[Europe/Berlin], asked in January: 2025-10-26T01:30:00.000Z
#   the same, asked in July: 2025-10-26T00:30:00.000Z
#   date-fns, 2025-11-01T08:00:00-04:00[America/New_York]: 2025-11-01T08:00:00.000Z
#   date-fns, 2025-11-01T08:00:00-04:00[America/Toronto]: Invalid Date
. "$(dirname "$0")/lib.sh"
npm_packages luxon@3.7.2 spacetime@7.15.0 date-fns@4.4.0
cat > read.mjs <<'JS'
import { parseISO } from "date-fns";
import { DateTime, Settings } from "luxon";
import spacetime from "spacetime";
const readers = {
  luxon: (text) => DateTime.fromISO(text).toJSDate(),
  spacetime: (text) => spacetime(text).toNativeDate(),
  "date-fns": (text) => parseISO(text),
};
const [reader, text, now] = process.argv.slice(2);
if (now) Settings.now = () => Date.parse(now);
const date = readers[reader](text);
console.log(isNaN(date) ? String(date) : date.toISOString());
JS
observe "Luxon, 2025-10-31T23:00:00Z[Asia/Tokyo]" 2025-10-31T14:00:00.000Z \
  "$(node read.mjs luxon '2025-10-31T23:00:00Z[Asia/Tokyo]')"
observe "spacetime, the same" 2025-10-31T14:00:00.000Z \
  "$(node read.mjs spacetime '2025-10-31T23:00:00Z[Asia/Tokyo]')"
repeated='2025-10-26T02:30:00+01:00[Europe/Berlin]'
observe "Luxon, $repeated, asked in January" 2025-10-26T01:30:00.000Z \
  "$(node read.mjs luxon "$repeated" 2026-01-15)"
observe "the same, asked in July" 2025-10-26T00:30:00.000Z \
  "$(node read.mjs luxon "$repeated" 2026-07-15)"
observe "date-fns, 2025-11-01T08:00:00-04:00[America/New_York]" 2025-11-01T08:00:00.000Z \
  "$(node read.mjs date-fns '2025-11-01T08:00:00-04:00[America/New_York]')"
observe "date-fns, 2025-11-01T08:00:00-04:00[America/Toronto]" "Invalid Date" \
  "$(node read.mjs date-fns '2025-11-01T08:00:00-04:00[America/Toronto]')"

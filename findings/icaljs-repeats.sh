#!/usr/bin/env bash
# ical.js 2.2.1 and rrule 2.8.1 (npm) read two ordinary rules differently. RFC 5545 ignores a date
# that does not exist, as rrule does: FREQ=YEARLY from 29 February recurs in leap years. In ical.js
# it moves to 1 March. BYSETPOS=-1 over the days 28 to 31 selects the last day of each month;
# ical.js returns two days of February.
#   yearly, ical.js: 2024-02-29 2025-03-01 2026-03-01
#   yearly, rrule: 2024-02-29 2028-02-29 2032-02-29
#   last day, ical.js: 2024-01-31 2024-02-28 2024-02-29
#   last day, rrule: 2024-01-31 2024-02-29 2024-03-31
. "$(dirname "$0")/lib.sh"
npm_packages ical.js@2.2.1 rrule@2.8.1
cat > repeat.mjs <<'JS'
import ical from "ical.js";
import rrule from "rrule";
const [rule, start] = process.argv.slice(2);
const lines = [
  "BEGIN:VEVENT",
  "UID:1",
  `DTSTART;VALUE=DATE:${start.replaceAll("-", "")}`,
  `RRULE:${rule}`,
  "END:VEVENT",
];
const dates = new ical.Event(new ical.Component(ical.parse(lines.join("\r\n")))).iterator();
console.log([1, 2, 3].map(() => dates.next().toString()).join(" "));
const options = { ...rrule.RRule.parseString(rule), dtstart: new Date(start), count: 3 };
console.log(new rrule.RRule(options).all().map((date) => date.toISOString().slice(0, 10)).join(" "));
JS
seen=$(node repeat.mjs FREQ=YEARLY 2024-02-29)
observe "yearly, ical.js" "2024-02-29 2025-03-01 2026-03-01" "$(sed -n 1p <<< "$seen")"
observe "yearly, rrule" "2024-02-29 2028-02-29 2032-02-29" "$(sed -n 2p <<< "$seen")"
seen=$(node repeat.mjs "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1" 2024-01-31)
observe "last day, ical.js" "2024-01-31 2024-02-28 2024-02-29" "$(sed -n 1p <<< "$seen")"
observe "last day, rrule" "2024-01-31 2024-02-29 2024-03-31" "$(sed -n 2p <<< "$seen")"

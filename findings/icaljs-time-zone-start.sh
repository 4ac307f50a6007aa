#!/usr/bin/env bash
# ical.js 2.2.1 (npm): a part of a VTIMEZONE begins at its DTSTART and at each RDATE (RFC 5545,
# 3.6.5). If it has an RDATE, ical.js does not read its DTSTART: between the two the offset of the
# part does not apply.
#   2021, DTSTART 2020 alone: 3600
#   2021, DTSTART 2020 and RDATE 2022: 0
#   2021, DTSTART 2020, and RDATE 2020 and 2022: 3600
. "$(dirname "$0")/lib.sh"
npm_packages ical.js@2.2.1
cat > offset.mjs <<'JS'
import ical from "ical.js";
const lines = [
  "BEGIN:VTIMEZONE",
  "TZID:Example",
  "BEGIN:STANDARD",
  "DTSTART:20200101T000000",
  ...process.argv.slice(2).map((date) => `RDATE:${date}`),
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0100",
  "END:STANDARD",
  "END:VTIMEZONE",
];
const zone = new ical.Timezone(new ical.Component(ical.parse(lines.join("\r\n"))));
console.log(zone.utcOffset(ical.Time.fromString("2021-06-01T00:00:00")));
JS
observe "2021, DTSTART 2020 alone" 3600 "$(node offset.mjs)"
observe "2021, DTSTART 2020 and RDATE 2022" 0 "$(node offset.mjs 20221030T030000)"
observe "2021, DTSTART 2020, and RDATE 2020 and 2022" 3600 \
  "$(node offset.mjs 20200101T000000 20221030T030000)"

#!/usr/bin/env bash
# Guess: libraries for calendars read escaped texts alike (RFC 5545, 3.3.11), so that any of them can
# check a reader. Of five, only ical.js 2.2.1 (npm) and vobject 0.9.6.1 (Debian 12) do: an escaped
# backslash before `n` becomes a line end in icalendar 4.0.3 (Debian 12) and node-ical 0.27.2 (npm),
# and icalendar and ts-ics 2.4.6 (npm) split a category at its escaped comma.
#   ical.js: "C:\\new" ["a,b","c"]
#   vobject: "C:\\new" ["a,b","c"]
#   ts-ics: "C:\\new" ["a\\","b","c"]
#   node-ical: "C:\\\new" ["a,b","c"]
#   icalendar: "C:\new" ["a","b","c"]
. "$(dirname "$0")/lib.sh"
npm_packages ical.js@2.2.1 ts-ics@2.4.6 node-ical@0.27.2
debian python3-icalendar 4.0.3-5
debian python3-vobject 0.9.6.1-2
sed 's/$/\r/' > escapes.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:findings
BEGIN:VEVENT
UID:1
DTSTAMP:20240101T000000Z
DTSTART:20240101T000000Z
SUMMARY:C:\\new
CATEGORIES:a\,b,c
END:VEVENT
END:VCALENDAR
ICS
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
import ical from "ical.js";
import nodeIcal from "node-ical";
import { convertIcsCalendar } from "ts-ics";
const text = readFileSync("escapes.ics", "utf8");
const readers = {
  "ical.js"() {
    const event = new ical.Component(ical.parse(text)).getFirstSubcomponent("vevent");
    return [event.getFirstPropertyValue("summary"), event.getFirstProperty("categories").getValues()];
  },
  "ts-ics"() {
    const [{ summary, categories }] = convertIcsCalendar(undefined, text).events;
    return [summary, categories];
  },
  "node-ical"() {
    const events = Object.values(nodeIcal.parseICS(text)).filter(({ type }) => type === "VEVENT");
    return [events[0].summary, events[0].categories];
  },
};
console.log(readers[process.argv[2]]().map((value) => JSON.stringify(value)).join(" "));
JS
cat > read.py <<'PY'
import json, sys
import icalendar, vobject

text = open("escapes.ics", newline="").read()
if sys.argv[1] == "icalendar":
    event = icalendar.Calendar.from_ical(text).walk("vevent")[0]
    values = [str(event["SUMMARY"]), [str(each) for each in event["CATEGORIES"].cats]]
else:
    event = vobject.readOne(text).vevent
    values = [event.summary.value, event.categories.value]
print(*(json.dumps(value, separators=(",", ":")) for value in values))
PY
python=/usr/bin/python3
observe ical.js '"C:\\new" ["a,b","c"]' "$(node read.mjs ical.js)"
observe vobject '"C:\\new" ["a,b","c"]' "$("$python" read.py vobject)"
observe ts-ics '"C:\\new" ["a\\","b","c"]' "$(node read.mjs ts-ics)"
observe node-ical '"C:\\\new" ["a,b","c"]' "$(node read.mjs node-ical)"
observe icalendar '"C:\new" ["a","b","c"]' "$("$python" read.py icalendar)"

#!/usr/bin/env bash
# RFC 5545 (3.3.5): a local time that occurs twice is the first one; one that the clocks skip is
# counted with the offset before the gap. None of six libraries does both: ical.js 2.2.1, ts-ics
# 2.4.6 and node-ical 0.27.2 (npm), libical 3.0.16, icalendar 4.0.3 and vobject 0.9.6.1 (Debian 12).
# In Berlin, 02:30 on 26 October 2025 is 00:30 UTC by the RFC, and 02:30 on 30 March is 01:30 UTC:
#   ical.js: 01:30 and 00:30
#   ts-ics: 01:30 and 00:30
#   libical: 01:30 and 00:30
#   node-ical: 01:30 and 01:30
#   icalendar: 01:30 and 01:30
#   vobject: 00:30 and 00:30
. "$(dirname "$0")/lib.sh"
npm_packages ical.js@2.2.1 ts-ics@2.4.6 node-ical@0.27.2
debian python3-icalendar 4.0.3-5
debian python3-vobject 0.9.6.1-2
debian python3-gi 3.42.2-3+b1
debian gir1.2-ical-3.0 3.0.16-1+b1
sed 's/$/\r/' > changes.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:findings
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19960331T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:repeated
DTSTAMP:20250101T000000Z
DTSTART;TZID=Europe/Berlin:20251026T023000
END:VEVENT
BEGIN:VEVENT
UID:skipped
DTSTAMP:20250101T000000Z
DTSTART;TZID=Europe/Berlin:20250330T023000
END:VEVENT
END:VCALENDAR
ICS
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
import ical from "ical.js";
import nodeIcal from "node-ical";
import { convertIcsCalendar } from "ts-ics";
const text = readFileSync("changes.ics", "utf8");
const readers = {
  "ical.js": () =>
    new ical.Component(ical.parse(text)).getAllSubcomponents("vevent")
      .map((event) => new ical.Event(event).startDate.toJSDate()),
  "ts-ics": () => convertIcsCalendar(undefined, text).events.map(({ start }) => start.date),
  "node-ical": () =>
    Object.values(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === "VEVENT")
      .map(({ start }) => start),
};
const dates = readers[process.argv[2]]();
console.log(dates.map((date) => date.toISOString().slice(11, 16)).join(" and "));
JS
cat > read.py <<'PY'
import datetime, sys

def with_icalendar(text):
    import icalendar
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    return [utc(event["DTSTART"].dt) for event in events]

def with_vobject(text):
    import vobject
    return [utc(event.dtstart.value) for event in vobject.readOne(text).vevent_list]

def with_libical(text):
    import gi
    gi.require_version("ICalGLib", "3.0")
    from gi.repository import ICalGLib as ical
    calendar = ical.Component.new_from_string(text)
    kind = ical.ComponentKind.VEVENT_COMPONENT
    event, starts = calendar.get_first_component(kind), []
    while event:
        start = event.get_dtstart().convert_to_zone(ical.Timezone.get_utc_timezone())
        starts.append("%02d:%02d" % (start.get_hour(), start.get_minute()))
        event = calendar.get_next_component(kind)
    return starts

def utc(time):
    return time.astimezone(datetime.timezone.utc).strftime("%H:%M")

text = open("changes.ics", newline="").read()
print(" and ".join(globals()["with_" + sys.argv[1]](text)))
PY
observe ical.js "01:30 and 00:30" "$(node read.mjs ical.js)"
observe ts-ics "01:30 and 00:30" "$(node read.mjs ts-ics)"
observe libical "01:30 and 00:30" "$(/usr/bin/python3 read.py libical)"
observe node-ical "01:30 and 01:30" "$(node read.mjs node-ical)"
observe icalendar "01:30 and 01:30" "$(/usr/bin/python3 read.py icalendar)"
observe vobject "00:30 and 00:30" "$(/usr/bin/python3 read.py vobject)"

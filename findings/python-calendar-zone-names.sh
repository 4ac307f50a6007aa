#!/usr/bin/env bash
# icalendar 4.0.3 and vobject 0.9.6.1 (Debian 12) name a time zone of Python's zoneinfo by its
# abbreviation: TZID=JST for Asia/Tokyo, CEST in summer. vobject writes one VTIMEZONE for each name:
# an event of Dublin and one of Kolkata share IST, so the one of Kolkata is read 4.5 hours late.
#   icalendar, Asia/Tokyo: JST
#   icalendar, Europe/Berlin in July: CEST
#   vobject, Asia/Tokyo: JST
#   vobject, 08:00 in Dublin and 08:00 in Kolkata: 07:00 and 07:00 UTC
. "$(dirname "$0")/lib.sh"
debian tzdata 2025b-0+deb12u2
debian python3 3.11.2-1+b1
debian python3-icalendar 4.0.3-5
debian python3-vobject 0.9.6.1-2
cat > write.py <<'PY'
import datetime, re, sys, zoneinfo
import icalendar, vobject

def start(zone):
    return datetime.datetime(2025, 7, 1, 8, tzinfo=zoneinfo.ZoneInfo(zone))

def with_vobject(*zones):
    calendar = vobject.iCalendar()
    for zone in zones:
        event = calendar.add("vevent")
        event.add("uid").value = zone
        event.add("dtstart").value = start(zone)
    return calendar.serialize()

def zone_name(text):
    return re.search("DTSTART;TZID=([^;:]+)", text)[1]

event = icalendar.Event()
event.add("dtstart", start("Asia/Tokyo"))
print(zone_name(event.to_ical().decode()))
event = icalendar.Event()
event.add("dtstart", start("Europe/Berlin"))
print(zone_name(event.to_ical().decode()))
print(zone_name(with_vobject("Asia/Tokyo")))
events = vobject.readOne(with_vobject("Europe/Dublin", "Asia/Kolkata")).vevent_list
times = [event.dtstart.value.astimezone(datetime.timezone.utc) for event in events]
print(" and ".join(time.strftime("%H:%M") for time in times), "UTC")
PY
seen=$(/usr/bin/python3 write.py)
observe "icalendar, Asia/Tokyo" JST "$(sed -n 1p <<< "$seen")"
observe "icalendar, Europe/Berlin in July" CEST "$(sed -n 2p <<< "$seen")"
observe "vobject, Asia/Tokyo" JST "$(sed -n 3p <<< "$seen")"
observe "vobject, 08:00 in Dublin and 08:00 in Kolkata" "07:00 and 07:00 UTC" \
  "$(sed -n 4p <<< "$seen")"

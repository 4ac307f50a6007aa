"""Prints the events of a calendar as a library reads them: calendars.py LIBRARY < CALENDAR."""

import datetime
import json
import sys


def moment(value):
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def icalendar(text):
    from icalendar import Calendar

    return [
        [str(each["summary"]), moment(each["dtstart"].dt), moment(each["dtend"].dt)]
        for each in Calendar.from_ical(text).walk("VEVENT")
    ]


def recurring_ical_events(text):
    from icalendar import Calendar
    from recurring_ical_events import of

    found = of(Calendar.from_ical(text)).between((2020, 1, 1), (2040, 1, 1))
    return [
        [str(each["summary"]), moment(each["dtstart"].dt), moment(each["dtend"].dt)]
        for each in found
    ]


def vobject(text):
    from vobject import readOne

    return [
        [each.summary.value, moment(each.dtstart.value), moment(each.dtend.value)]
        for each in readOne(text).vevent_list
    ]


def libical(text):
    import gi

    gi.require_version("ICalGLib", "3.0")
    from gi.repository import ICalGLib

    utc = ICalGLib.Timezone.get_utc_timezone()

    def written(time):
        day = "%04d-%02d-%02d" % (time.get_year(), time.get_month(), time.get_day())
        if time.is_date():
            return day
        time = time.convert_to_zone(utc)
        return "%04d-%02d-%02dT%02d:%02d:%02dZ" % (
            *(time.get_year(), time.get_month(), time.get_day()),
            *(time.get_hour(), time.get_minute(), time.get_second()),
        )

    calendar = ICalGLib.Component.new_from_string(text)
    kind, events = ICalGLib.ComponentKind.VEVENT_COMPONENT, []
    each = calendar.get_first_component(kind)
    while each:
        times = written(each.get_dtstart()), written(each.get_dtend())
        events.append([each.get_summary(), *times])
        each = calendar.get_next_component(kind)
    return events


text = sys.stdin.buffer.read().decode()
print(json.dumps(globals()[sys.argv[1]](text)))

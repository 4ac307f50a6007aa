#!/usr/bin/env bash
# Guess: a library that reads the repeated hour as the second one (after the clocks were put back)
# does so in every zone. PHP 8.2 does in Berlin and Dublin, and reads the first one in New York.
# icalendar 4.0.3, by pytz, reads the second in Berlin and New York, and the first in Dublin, whose
# zone data calls the summer standard time (Debian 12).
#   PHP: Berlin 01:30, New York 05:30, Dublin 01:30
#   icalendar: Berlin 01:30, New York 06:30, Dublin 00:30
. "$(dirname "$0")/lib.sh"
debian php-cli 2:8.2+93
debian python3-icalendar 4.0.3-5
cat > read.php <<'PHP'
<?php
foreach (array_slice($argv, 1) as $each) {
    [$zone, $time] = explode('|', $each);
    $read = new DateTime($time, new DateTimeZone($zone));
    echo $read->setTimezone(new DateTimeZone('UTC'))->format('H:i '), '';
}
PHP
cat > read.py <<'PY'
import sys
from icalendar import Calendar
for each in sys.argv[1:]:
    lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "DTSTART;TZID=%s:%s" % tuple(each.split("|"))]
    lines += ["END:VEVENT", "END:VCALENDAR", ""]
    [event] = Calendar.from_ical("\r\n".join(lines)).walk("VEVENT")
    print("%02d:%02d" % event["DTSTART"].dt.utctimetuple()[3:5], end=" ")
PY
times=("Europe/Berlin|20261025T023000" "America/New_York|20261101T013000"
  "Europe/Dublin|20261025T013000")
observe PHP "01:30 05:30 01:30 " "$(php read.php "${times[@]}")"
observe icalendar "01:30 06:30 00:30 " "$(/usr/bin/python3 read.py "${times[@]}")"

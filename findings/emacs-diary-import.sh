#!/usr/bin/env bash
# Guess: Emacs imports an event of a quarter with its time, in the offset that VTIMEZONE gives.
# Emacs 28.2 (Debian 12) imports an event that ends on another day as whole days, without a time,
# and ignores RDATE: of a zone that lists its changes it applies one offset to the whole year.
#   23:50 to 00:05 in UTC: diary-block 2026 12 31 2026 12 31
#   noon of Jerusalem in January and July, read in UTC: 09:00 and 09:00 (meant 10:00 and 09:00)
. "$(dirname "$0")/lib.sh"
debian emacs-nox 1:28.2+1-15+deb12u4
sed 's/$/\r/' > due.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:findings
BEGIN:VTIMEZONE
TZID:Asia/Jerusalem
BEGIN:STANDARD
DTSTART:19700101T000000
RDATE:19700101T000000
RDATE:20261025T020000
TZOFFSETFROM:+0300
TZOFFSETTO:+0200
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700102T000000
RDATE:19700102T000000
RDATE:20260327T020000
RDATE:20270326T020000
TZOFFSETFROM:+0200
TZOFFSETTO:+0300
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:midnight
DTSTAMP:20260101T000000Z
DTSTART:20261231T235000Z
DTEND:20270101T000500Z
SUMMARY:Midnight
END:VEVENT
BEGIN:VEVENT
UID:winter
DTSTAMP:20260101T000000Z
DTSTART;TZID=Asia/Jerusalem:20270115T120000
DTEND;TZID=Asia/Jerusalem:20270115T121500
SUMMARY:Winter
END:VEVENT
BEGIN:VEVENT
UID:summer
DTSTAMP:20260101T000000Z
DTSTART;TZID=Asia/Jerusalem:20270715T120000
DTEND;TZID=Asia/Jerusalem:20270715T121500
SUMMARY:Summer
END:VEVENT
END:VCALENDAR
ICS
TZ=UTC emacs --batch -q --eval '(progn (require (quote icalendar)) (calendar-set-date-style (quote iso))
  (icalendar-import-file "due.ics" (expand-file-name "diary") t))' < /dev/null > /dev/null 2>&1
observe "23:50 to 00:05" "&%%(and (diary-block 2026 12 31 2026 12 31)) Midnight" "$(grep Midnight diary)"
observe "noon in January" "&2027/1/15 09:00-09:15 Winter" "$(grep Winter diary)"
observe "noon in July" "&2027/7/15 09:00-09:15 Summer" "$(grep Summer diary)"

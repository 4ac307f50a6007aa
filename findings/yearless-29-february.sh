#!/usr/bin/env bash
# Guess: khal and khard show every birthday without a year, or none. Both show --0705, and neither
# --0229: they parse it with the year 1900, which has no such day. khal drops it with a warning and
# khard without one (khal 0.10.5, khard 0.18.0, Debian 12). A year alone (RFC 6350) is a birthday on
# today's month and day in khal.
#   khal, --0705: 2027-07-05 Ina's birthday
#   khal, --0229: nothing
#   khal, 1984, on 3 June: a birthday on 3 June
#   khard, --0705: --07-05
#   khard, --0229: nothing
. "$(dirname "$0")/lib.sh"
debian khal 1:0.10.5-1.1
debian khard 0.18.0-1
debian faketime 0.9.10-2.1
mkdir people
write() {
  printf 'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:%s\r\nFN:%s\r\nN:;%s;;;\r\nBDAY:%s\r\nEND:VCARD\r\n' \
    "$1" "$1" "$1" "$2" > "people/$1.vcf"
}
write Ina --0705
write Lin --0229
write Ann 1984
cat > khal.conf <<CONF
[calendars]
[[people]]
path = $folder/people
type = birthdays
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
[sqlite]
path = $folder/khal.db
CONF
printf '[addressbooks]\n[[people]]\npath = %s\n[vcard]\npreferred_version = 4.0\n' \
  "$folder/people" > khard.conf
export LC_ALL=C.UTF-8 HOME="$folder" TZ=UTC
listed=$(faketime '2026-06-03 12:00:00' khal -c khal.conf list --once --day-format '' \
  --format '{start-date} {title}' 2027-01-01 2028-12-31 2> warnings)
observe "khal, --0705" "2027-07-05 Ina's birthday" "$(grep Ina <<< "$listed" | head -1)"
observe "khal, --0229" "" "$(grep Lin <<< "$listed" || true)"
observe "khal, 1984" "2027-06-03 Ann's 43rd birthday" "$(grep Ann <<< "$listed" | head -1)"
shown() { khard -c khard.conf show "$1" < /dev/null | sed -n 's/.*Birthday: *//p'; }
observe "khard, --0705" --07-05 "$(shown Ina)"
observe "khard, --0229" "" "$(shown Lin)"

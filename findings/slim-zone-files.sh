#!/usr/bin/env bash
# dateutil 2.8.2 and pytz 2022.7.1 (Debian 12) read only the first block of a zone file. It is empty
# in the form "slim", the default of the tz project since 2020b: both read such a file as UTC,
# without an error. In the form "fat", the default of zic in glibc 2.36, they know no summer time
# after 2037. zoneinfo of Python 3.11 reads the second block and the rule at the end.
#   zic without -b: fat
#   dateutil, slim: 2025-07-01 12:00, 2040-07-01 12:00
#   pytz, slim: 2025-07-01 12:00, 2040-07-01 12:00
#   zoneinfo, slim: 2025-07-01 14:00, 2040-07-01 14:00
#   dateutil, fat: 2025-07-01 14:00, 2040-07-01 13:00
#   pytz, fat: 2025-07-01 14:00, 2040-07-01 13:00
#   zoneinfo, fat: 2025-07-01 14:00, 2040-07-01 14:00
. "$(dirname "$0")/lib.sh"
debian libc-bin 2.36-9+deb12u14
debian python3 3.11.2-1+b1
debian python3-dateutil 2.8.2-2
debian python3-tz 2022.7.1-4
cat > rules <<'ZIC'
Rule EU 1996 max - Mar lastSun 1:00u 1:00 S
Rule EU 1996 max - Oct lastSun 1:00u 0 -
Zone Europe/Berlin 1:00 EU CE%sT
ZIC
/usr/sbin/zic -b slim -d slim rules
/usr/sbin/zic -b fat -d fat rules
/usr/sbin/zic -d default rules
form=other
for each in slim fat; do
  if cmp --quiet default/Europe/Berlin "$each/Europe/Berlin"; then form=$each; fi
done
cat > read.py <<'PY'
import datetime, os, sys
library, folder = sys.argv[1:]
name = "Europe/Berlin"
if library == "dateutil":
    import dateutil.tz
    zone = dateutil.tz.tzfile(os.path.join(folder, name))
elif library == "pytz":
    os.environ["PYTZ_TZDATADIR"] = os.path.abspath(folder)
    import pytz
    zone = pytz.timezone(name)
else:
    import zoneinfo
    zoneinfo.reset_tzpath([os.path.abspath(folder)])
    zone = zoneinfo.ZoneInfo(name)
moments = [datetime.datetime(year, 7, 1, 12, tzinfo=datetime.timezone.utc) for year in (2025, 2040)]
print(", ".join(moment.astimezone(zone).strftime("%Y-%m-%d %H:%M") for moment in moments))
PY
observe "zic without -b" fat "$form"
observe "dateutil, slim" "2025-07-01 12:00, 2040-07-01 12:00" \
  "$(/usr/bin/python3 read.py dateutil slim)"
observe "pytz, slim" "2025-07-01 12:00, 2040-07-01 12:00" "$(/usr/bin/python3 read.py pytz slim)"
observe "zoneinfo, slim" "2025-07-01 14:00, 2040-07-01 14:00" \
  "$(/usr/bin/python3 read.py zoneinfo slim)"
observe "dateutil, fat" "2025-07-01 14:00, 2040-07-01 13:00" \
  "$(/usr/bin/python3 read.py dateutil fat)"
observe "pytz, fat" "2025-07-01 14:00, 2040-07-01 13:00" "$(/usr/bin/python3 read.py pytz fat)"
observe "zoneinfo, fat" "2025-07-01 14:00, 2040-07-01 14:00" \
  "$(/usr/bin/python3 read.py zoneinfo fat)"

#!/usr/bin/env bash
# Guess: mktime without knowledge of daylight saving time (tm_isdst = -1) always reads a repeated
# local time in one way. glibc 2.36 (Debian 12) begins its search at the offset of the call before:
# one program reads 02:30 on 25 October 2026 in Berlin in two ways. calcurse 4.7.1 imports so.
#   after a time in July: 00:30 UTC
#   after a time in December: 01:30 UTC
. "$(dirname "$0")/lib.sh"
debian libc6 2.36-9+deb12u14
debian tzdata 2025b-0+deb12u2
cat > read.py <<'PY'
import sys, time
time.mktime((2026, int(sys.argv[1]), 1, 12, 0, 0, 0, 0, -1))
read = time.mktime((2026, 10, 25, 2, 30, 0, 0, 0, -1))
print(time.strftime("%H:%M", time.gmtime(read)))
PY
observe "after a time in July" 00:30 "$(TZ=Europe/Berlin /usr/bin/python3 read.py 7)"
observe "after a time in December" 01:30 "$(TZ=Europe/Berlin /usr/bin/python3 read.py 12)"

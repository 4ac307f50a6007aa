#!/usr/bin/env bash
# python3-vobject 0.9.6.1 (Debian 12; khard reads by it): values that are addresses or numbers are
# read and written as lists of text. A web address ends at its first comma, which RFC 2426 does not
# escape in it; an escaped comma, which it does not need, is read right. GEO comes out with an
# escape that it must not have.
#   URL with a comma: https://example.org/a
#   URL with an escaped comma: https://example.org/a,b
#   GEO:1.5;2.5, written again: GEO:1.5\;2.5
. "$(dirname "$0")/lib.sh"
debian python3-vobject 0.9.6.1-2
cat > read.py <<'PY'
import sys, vobject
name, value = sys.argv[1:]
lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:A", "N:A;;;;", name + ":" + value, "END:VCARD", ""]
card = vobject.readOne("\r\n".join(lines))
print(getattr(card, name.lower()).value)
print(next(line for line in card.serialize().split("\r\n") if line.startswith(name)))
PY
observe "URL with a comma" https://example.org/a \
  "$(/usr/bin/python3 read.py URL https://example.org/a,b | sed -n 1p)"
observe "URL with an escaped comma" https://example.org/a,b \
  "$(/usr/bin/python3 read.py URL 'https://example.org/a\,b' | sed -n 1p)"
observe "GEO:1.5;2.5, written again" 'GEO:1.5\;2.5' "$(/usr/bin/python3 read.py GEO '1.5;2.5' | sed -n 2p)"

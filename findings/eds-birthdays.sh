#!/usr/bin/env bash
# Guess: Evolution Data Server shows no birthday where it cannot read one. Its library 3.46.4
# (Debian 12) reads valid values of vCard 4.0 as dates that no calendar has, and it reads the
# anniversary of 3.0 from a property of its own alone.
#   BDAY:--0705: 0-0-0
#   BDAY:1984: 0-0-0
#   BDAY;VALUE=text:circa 1800: 57411-4294967137-0
#   ANNIVERSARY:20091115: none
#   X-ANNIVERSARY:2009-11-15: none
#   X-EVOLUTION-ANNIVERSARY:2009-11-15: 2009-11-15
. "$(dirname "$0")/lib.sh"
debian python3-gi 3.42.2-3+b1
debian gir1.2-ebookcontacts-1.2 3.46.4-2+deb12u1
cat > read.py <<'PY'
import sys, gi
gi.require_version("EBookContacts", "1.2")
from gi.repository import EBookContacts
version, field, line = sys.argv[1:]
lines = ["BEGIN:VCARD", "VERSION:" + version, "UID:a", "FN:Ina", "N:;Ina;;;", line, "END:VCARD", ""]
date = EBookContacts.Contact.new_from_vcard("\r\n".join(lines)).get_property(field)
print("%d-%d-%d" % (date.year, date.month, date.day) if date else "none")
PY
read_date() {
  observe "$3" "$4" "$(/usr/bin/python3 read.py "$1" "$2" "$3")"
}
read_date 4.0 birth-date BDAY:--0705 0-0-0
read_date 4.0 birth-date BDAY:1984 0-0-0
read_date 4.0 birth-date 'BDAY;VALUE=text:circa 1800' 57411-4294967137-0
read_date 4.0 anniversary ANNIVERSARY:20091115 none
read_date 3.0 anniversary X-ANNIVERSARY:2009-11-15 none
read_date 3.0 anniversary X-EVOLUTION-ANNIVERSARY:2009-11-15 2009-11-15

#!/usr/bin/env bash
# libtext-vcard-perl 3.09 (Debian 12): two categories of a card that it reads and writes become one, because
# the comma between them is written with an escape, as the comma within one is.
#   CATEGORIES:a\,b,c, written again: CATEGORIES:a\,b\,c
. "$(dirname "$0")/lib.sh"
debian libtext-vcard-perl 3.09-2
cat > write.pl <<'PL'
use Text::vCard::Addressbook;
my @lines = ("BEGIN:VCARD", "VERSION:3.0", "FN:A", "N:A;;;;", "CATEGORIES:a\\,b,c", "END:VCARD", "");
print Text::vCard::Addressbook->new({ source_text => join("\r\n", @lines) })->export();
PL
observe 'CATEGORIES:a\,b,c, written again' 'CATEGORIES:a\,b\,c' \
  "$(perl write.pl | tr -d '\r' | grep CATEGORIES)"

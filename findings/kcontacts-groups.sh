#!/usr/bin/env bash
# Guess: KContacts shows a number of a group, perhaps without its label. KContacts 5.103
# (KAddressBook; Debian 12) shows neither number nor address of a group. The last of several FN is
# the name, and a birthday without a year is none.
#   TEL:+1 and item1.TEL:+2 with item1.X-ABLabel: +1
#   FN:First and FN:Second: Second
#   BDAY:--0705: none
. "$(dirname "$0")/lib.sh"
debian g++ 4:12.2.0-3
debian pkg-config 1.8.1-1
debian libkf5contacts-dev 5:5.103.0-1
cat > read.cpp <<'CPP'
#include <KContacts/Addressee>
#include <KContacts/VCardConverter>
#include <cstdio>

int main(int, char **words) {
  const auto card = KContacts::VCardConverter().parseVCard(words[1]);
  QStringList numbers;
  for (const auto &phone : card.phoneNumbers()) numbers << phone.number();
  const auto date = card.birthday().toString(Qt::ISODate);
  const auto birthday = date.isEmpty() ? "none" : date;
  puts(qPrintable(card.formattedName() + "|" + numbers.join(",") + "|" + birthday));
}
CPP
# shellcheck disable=SC2046
g++ -fPIC -o read read.cpp -I/usr/include/KF5 -I/usr/include/KF5/KContacts \
  -I/usr/include/KF5/KCoreAddons $(pkg-config --cflags --libs Qt5Gui) -lKF5Contacts
card=$'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:First\r\nFN:Second\r\nTEL:+1\r\nitem1.TEL:+2\r\n'
card+=$'item1.X-ABLabel:Lake house\r\nBDAY:--0705\r\nEND:VCARD\r\n'
IFS='|' read -r name numbers birthday <<< "$(./read "$card")"
observe "TEL:+1 and item1.TEL:+2" +1 "$numbers"
observe "FN:First and FN:Second" Second "$name"
observe "BDAY:--0705" none "$birthday"

#!/usr/bin/env bash
# ical.js 2.2.1 (npm): in a vCard it reads the escaped comma of a text, but not the escaped semicolon, which
# RFC 2426 requires and RFC 6350 allows. The backslash becomes a part of the text, and is escaped itself when
# the card is written: other programs then show it. In a calendar it reads both.
#   NOTE of a vCard: one, two\; three
#   the same, written again: NOTE:one\, two\\; three
#   DESCRIPTION of a calendar: one, two; three
. "$(dirname "$0")/lib.sh"
npm_packages ical.js@2.2.1
cat > read.mjs <<'JS'
import ical from "ical.js";
const read = (lines) => new ical.Component(ical.parse(lines.join("\r\n")));
const text = "one\\, two\\; three";
const card = read(["BEGIN:VCARD", "VERSION:3.0", "FN:A", "N:A;;;;", `NOTE:${text}`, "END:VCARD"]);
console.log(card.getFirstPropertyValue("note"));
console.log(card.toString().split("\r\n").find((line) => line.startsWith("NOTE")));
const event = read(["BEGIN:VEVENT", "UID:1", `DESCRIPTION:${text}`, "END:VEVENT"]);
console.log(event.getFirstPropertyValue("description"));
JS
seen=$(node read.mjs)
observe "NOTE of a vCard" 'one, two\; three' "$(sed -n 1p <<< "$seen")"
observe "the same, written again" 'NOTE:one\, two\\; three' "$(sed -n 2p <<< "$seen")"
observe "DESCRIPTION of a calendar" "one, two; three" "$(sed -n 3p <<< "$seen")"

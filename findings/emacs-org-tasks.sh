#!/usr/bin/env bash
# Guess: the start and the summary of an entry stay the same in each export of Emacs Org.
# Org 9.5.5 (Emacs 28.2, Debian 12) writes the minute of the export as the DTSTART of each task that
# is not scheduled, also of one with a deadline. New UIDs in each export are its documented default.
#   start of a task: the minute of the export
#   due time of a task: 20240301
#   start of an event: 20240305T090000
#   equal UIDs of two exports: 0 of 3
. "$(dirname "$0")/lib.sh"
debian emacs-nox 1:28.2+1-15+deb12u4
cat > notes.org <<'ORG'
* TODO Call the plumber
* TODO Pay the rent
  DEADLINE: <2024-03-01 Fri>
* Dentist
  <2024-03-05 Tue 09:00-10:00>
ORG
cat > export.el <<'EL'
(require 'ox-icalendar)
(setq org-icalendar-include-todo t)
(find-file "notes.org")
(org-icalendar-export-to-ics)
EL
export TZ=UTC HOME="$folder"
for number in 1 2; do
  before=$(date +%Y%m%dT%H%M00)
  emacs -Q --batch -l export.el > /dev/null 2>&1
  after=$(date +%Y%m%dT%H%M00)
  mv notes.ics "$number.ics"
done

# value COMPONENT SUMMARY PROPERTY
value() {
  sed 's/\r$//' 2.ics | awk -v begin="BEGIN:$1" -v summary="SUMMARY:$2" -v name="^$3[;:]" '
    $0 == begin { line = ""; isFound = 0 }
    $0 ~ name { line = $0; sub(/^[^:]*:/, "", line) }
    $0 == summary { isFound = 1 }
    /^END:V/ && isFound { print line; exit }'
}

start=$(value VTODO "Call the plumber" DTSTART)
case "$start" in
  "$before" | "$after") start="the minute of the export" ;;
esac
observe "start of a task" "the minute of the export" "$start"
observe "due time of a task" 20240301 "$(value VTODO "Pay the rent" DUE)"
observe "start of an event" 20240305T090000 "$(value VEVENT Dentist DTSTART)"
uids() { grep '^UID:' "$1.ics" | sort; }
observe "equal UIDs of two exports" "0 of 3" \
  "$(comm -12 <(uids 1) <(uids 2) | wc -l) of $(uids 1 | wc -l)"

#!/usr/bin/env bash
# Deno 2.9.6 (npm) and Node (seen: 20.20.2) with a TZ that names no zone, but is valid in POSIX or
# in glibc: an offset or the path of a zone file gives Date the right time, while Intl has no name
# and Temporal.Now is in UTC. With a rule for summer time all three are in UTC, without an error.
# Seen at 12:00 UTC in July, with the hour of `date`:
#   Asia/Tokyo: Intl Asia/Tokyo, Temporal.Now Asia/Tokyo, Date 21, date 21
#   JST-9: Intl undefined, Temporal.Now UTC, Date 21, date 21
#   :/usr/share/zoneinfo/Asia/Tokyo: Intl undefined, Temporal.Now UTC, Date 21, date 21
#   CET-1CEST,M3.5.0,M10.5.0/3: Intl UTC, Temporal.Now UTC, Date 12, date 14
#   Node, JST-9: Intl undefined, Date 21
#   Node, CET-1CEST,M3.5.0,M10.5.0/3: Intl UTC, Date 12
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
echo "node: $(node --version)"
debian tzdata 2025b-0+deb12u2
cat > zone.js <<'JS'
const clocks = [`Intl ${Intl.DateTimeFormat().resolvedOptions().timeZone}`];
if (globalThis.Deno) clocks.push(`Temporal.Now ${Temporal.Now.timeZoneId()}`);
clocks.push(`Date ${new Date("2026-07-01T12:00:00Z").getHours()}`);
console.log(clocks.join(", "));
JS
in_deno() { echo "$(TZ=$1 "$deno" run zone.js), date $(TZ=$1 date -d 2026-07-01T12:00Z +%H)"; }
in_node() { TZ=$1 node zone.js; }

path=:/usr/share/zoneinfo/Asia/Tokyo
rule=CET-1CEST,M3.5.0,M10.5.0/3
observe Asia/Tokyo "Intl Asia/Tokyo, Temporal.Now Asia/Tokyo, Date 21, date 21" \
  "$(in_deno Asia/Tokyo)"
observe JST-9 "Intl undefined, Temporal.Now UTC, Date 21, date 21" "$(in_deno JST-9)"
observe "$path" "Intl undefined, Temporal.Now UTC, Date 21, date 21" "$(in_deno "$path")"
observe "$rule" "Intl UTC, Temporal.Now UTC, Date 12, date 14" "$(in_deno "$rule")"
observe "Node, JST-9" "Intl undefined, Date 21" "$(in_node JST-9)"
observe "Node, $rule" "Intl UTC, Date 12" "$(in_node "$rule")"

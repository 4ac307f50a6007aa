#!/usr/bin/env bash
# The offset of Africa/Monrovia in 1971, -00:44:30, is written in five forms. Temporal of Deno 2.9.6
# (npm) rounds it to the minute, Luxon 3.7.2 and Moment Timezone 0.6.6 (npm) cut it, so the text
# states another moment by 30 seconds, and Temporal refuses the cut one with its zone. js-joda 6.3.2
# (npm) and Python 3.11 (Debian 12) write the seconds, which RFC 3339 does not have. Day.js 1.11.23
# writes a fraction; @date-fns/tz 1.5.0 (npm) changes the sign and the time.
#   Temporal: 1971-01-01T11:15:30-00:45
#   Luxon: 1971-01-01T11:15:30-00:44
#   Moment Timezone: 1971-01-01T11:15:30-00:44
#   js-joda: 1971-01-01T11:15:30-00:44:30
#   Python: 1971-01-01T11:15:30-00:44:30
#   Day.js: 1971-01-01T11:15:30-00:44.5
#   @date-fns/tz: 1971-01-01T12:44:30.000+00:44
#   Temporal, reading that of Luxon: RangeError
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
npm_packages luxon@3.7.2 moment-timezone@0.6.6 @js-joda/core@6.3.2 @js-joda/timezone@2.25.2 \
  dayjs@1.11.23 @date-fns/tz@1.5.0
debian python3 3.11.2-1+b1
debian tzdata 2025b-0+deb12u2
cat > write.mjs <<'JS'
import { TZDate } from "@date-fns/tz";
import { Instant, ZoneId } from "@js-joda/core";
import "@js-joda/timezone";
import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";
import { DateTime } from "luxon";
import moment from "moment-timezone";
dayjs.extend(utc);
dayjs.extend(timezone);
const [moment1971, zone] = ["1971-01-01T12:00:00Z", "Africa/Monrovia"];
console.log(DateTime.fromISO(moment1971, { zone }).toISO({ suppressMilliseconds: true }));
console.log(moment.tz(moment1971, zone).format());
console.log(Instant.parse(moment1971).atZone(ZoneId.of(zone)).toOffsetDateTime().toString());
console.log(dayjs(moment1971).tz(zone).format());
console.log(new TZDate(moment1971, zone).toISOString());
JS
cat > temporal.js <<'JS'
const zone = "Africa/Monrovia";
console.log(
  Temporal.Instant.from("1971-01-01T12:00:00Z").toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never" }),
);
try {
  console.log(Temporal.ZonedDateTime.from(`${Deno.args[0]}[${zone}]`).toInstant().toString());
} catch (error) {
  console.log(error.name);
}
JS
cat > write.py <<'PY'
import datetime, zoneinfo
moment = datetime.datetime(1971, 1, 1, 12, tzinfo=datetime.timezone.utc)
print(moment.astimezone(zoneinfo.ZoneInfo("Africa/Monrovia")).isoformat())
PY
npm=$(node write.mjs)
seen=$("$deno" run temporal.js "$(sed -n 1p <<< "$npm")")
observe Temporal 1971-01-01T11:15:30-00:45 "$(sed -n 1p <<< "$seen")"
observe Luxon 1971-01-01T11:15:30-00:44 "$(sed -n 1p <<< "$npm")"
observe "Moment Timezone" 1971-01-01T11:15:30-00:44 "$(sed -n 2p <<< "$npm")"
observe js-joda 1971-01-01T11:15:30-00:44:30 "$(sed -n 3p <<< "$npm")"
observe Python 1971-01-01T11:15:30-00:44:30 "$(/usr/bin/python3 write.py)"
observe Day.js 1971-01-01T11:15:30-00:44.5 "$(sed -n 4p <<< "$npm")"
observe "@date-fns/tz" 1971-01-01T12:44:30.000+00:44 "$(sed -n 5p <<< "$npm")"
observe "Temporal, reading that of Luxon" RangeError "$(sed -n 2p <<< "$seen")"

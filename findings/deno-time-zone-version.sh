#!/usr/bin/env bash
# Deno 2.9.6 (npm): process.versions.tz names release 2026b of the time zone data, but Temporal and
# Intl answer without the changes of 2026a (Moldova: an hour later since 2022) and of 2026b
# (Vancouver stays at -07:00). Moment Timezone 0.6.2 (npm) has data of the same name, with both.
#   Deno: 2026b, Vancouver -08:00, Chisinau +02:00
#   Deno, Intl: 2026b, Vancouver GMT-08:00, Chisinau GMT+02:00
#   Moment Timezone: 2026b, Vancouver -07:00, Chisinau +03:00
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
npm_packages moment-timezone@0.6.2
cat > data.js <<'JS'
const [vancouver, chisinau] = ["2026-12-01T12:00:00Z", "2025-10-26T00:30:00Z"];
const show = (release, offset) =>
  console.log(
    `${release}, Vancouver ${offset(vancouver, "America/Vancouver")}, ` +
      `Chisinau ${offset(chisinau, "Europe/Chisinau")}`,
  );
if (globalThis.Deno) {
  const { tz } = globalThis.process.versions;
  show(tz, (time, zone) => Temporal.Instant.from(time).toZonedDateTimeISO(zone).offset);
  show(tz, (time, timeZone) =>
    new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
      .formatToParts(new Date(time)).find(({ type }) => type === "timeZoneName").value);
} else {
  const { tz } = require("moment-timezone");
  show(tz.dataVersion, (time, zone) => tz(time, zone).format("Z"));
}
JS
seen=$("$deno" run data.js)
observe Deno "2026b, Vancouver -08:00, Chisinau +02:00" "$(sed -n 1p <<< "$seen")"
observe "Deno, Intl" "2026b, Vancouver GMT-08:00, Chisinau GMT+02:00" "$(sed -n 2p <<< "$seen")"
observe "Moment Timezone" "2026b, Vancouver -07:00, Chisinau +03:00" "$(node data.js)"

#!/usr/bin/env bash
# Guess: Thunderbird shows a time in UTC at its local time, also in the hour that clocks show twice.
# Thunderbird 153.8 (Debian 12) shows the second one an hour late in Berlin, and the first one an
# hour early in New York; a local time with TZID is the second one in both.
#   00:30 and 01:30 UTC on 25 October 2026, in Berlin: 02:30 03:30
#   05:30 and 06:30 UTC on 1 November 2026, in New York: 00:30 01:30
#   02:30 of Berlin and 01:30 of New York, in UTC: 01:30 06:30
. "$(dirname "$0")/lib.sh"
debian thunderbird 1:153.8.0esr-1~deb12u1
cat > ask.js <<'JS'
const { cal } = ChromeUtils.importESModule("resource:///modules/calendar/calUtils.sys.mjs");
const clock = (time) => time.icalString.replace(/.*T(..)(..).*/, "$1:$2");
return [["Europe/Berlin", "20261025T003000Z", "20261025T013000Z", "20261025T023000"],
  ["America/New_York", "20261101T053000Z", "20261101T063000Z", "20261101T013000"]]
  .map(([name, first, second, local]) => {
    const zone = cal.timezoneService.getTimezone(name);
    const read = cal.createDateTime(local);
    read.timezone = zone;
    const shown = [first, second].map((time) => cal.createDateTime(time).getInTimezone(zone));
    return [...shown, read.getInTimezone(cal.dtz.UTC)].map(clock);
  });
JS
cat > control.mjs <<'JS'
import { readFileSync } from "node:fs";
import { connect } from "node:net";
const socket = connect(Number(process.argv[2]), "127.0.0.1");
let received = "";
const waiting = [];
socket.on("data", (data) => {
  received += data;
  for (let end; (end = received.indexOf(":")) > 0;) {
    const length = Number(received.slice(0, end));
    if (received.length < end + 1 + length) return;
    waiting.shift()(JSON.parse(received.slice(end + 1, end + 1 + length)));
    received = received.slice(end + 1 + length);
  }
});
const next = () => new Promise((done) => waiting.push(done));
const send = async (command, parameters) => {
  const message = JSON.stringify([0, 1, command, parameters]);
  socket.write(`${message.length}:${message}`);
  const [, , error, value] = await next();
  if (error) throw new Error(JSON.stringify(error));
  return value;
};
await next();
await send("WebDriver:NewSession", { capabilities: { alwaysMatch: {} } });
await send("Marionette:SetContext", { value: "chrome" });
const script = readFileSync("ask.js", "utf8");
const { value: [[a, b, c], [d, e, f]] } =
  await send("WebDriver:ExecuteScript", { script, args: [] });
console.log(`${a} ${b}|${d} ${e}|${c} ${f}`);
socket.destroy();
JS
port=$(free_port)
mkdir profile
{
  echo "user_pref(\"marionette.port\", $port);"
  echo 'user_pref("app.update.enabled", false);'
  echo 'user_pref("network.proxy.type", 1);'
  echo 'user_pref("network.proxy.ssl", "127.0.0.1");'
  echo 'user_pref("network.proxy.ssl_port", 9);'
} > profile/user.js
HOME="$folder" TZ=UTC serve thunderbird --headless --marionette --remote-allow-system-access \
  --no-remote --profile "$folder/profile"
wait_for bash -c "echo > /dev/tcp/127.0.0.1/$port"
IFS='|' read -r berlin new_york local <<< "$(node control.mjs "$port")"
observe "in Berlin" "02:30 03:30" "$berlin"
observe "in New York" "00:30 01:30" "$new_york"
observe "local times in UTC" "01:30 06:30" "$local"

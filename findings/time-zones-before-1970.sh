#!/usr/bin/env bash
# Before 1970 one time zone has two histories. Debian 12 builds tzdata with the old data of each
# zone, which its PostgreSQL reads; PGlite 0.5.17 and Deno 2.9.6 (npm) have the shorter data, in
# which Amsterdam follows Brussels and Oslo follows Berlin. The same moment has another local time,
# although each knows the zone.
#   PostgreSQL 15 of Debian: Amsterdam 1930-06-01 13:19:32, Oslo 1947-07-01 13:00:00
#   PGlite: Amsterdam 1930-06-01 13:00:00, Oslo 1947-07-01 14:00:00
#   Deno: Amsterdam 1930-06-01 13:00:00, Oslo 1947-07-01 14:00:00
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
npm_packages @electric-sql/pglite@0.5.17
start_postgres
debian tzdata 2025b-0+deb12u2
query="select format('Amsterdam %s, Oslo %s',
  '1930-06-01 12:00+00'::timestamptz at time zone 'Europe/Amsterdam',
  '1947-07-01 12:00+00'::timestamptz at time zone 'Europe/Oslo') as seen"
cat > pglite.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
const engine = await PGlite.create();
console.log((await engine.query(process.argv[2])).rows[0].seen);
await engine.close();
JS
cat > deno.ts <<'TS'
const local = (moment: string, timeZone: string) =>
  new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" })
    .format(new Date(moment));
const [amsterdam, oslo] = [
  local("1930-06-01T12:00:00Z", "Europe/Amsterdam"),
  local("1947-07-01T12:00:00Z", "Europe/Oslo"),
];
console.log(`Amsterdam ${amsterdam}, Oslo ${oslo}`);
TS
observe "PostgreSQL 15 of Debian" "Amsterdam 1930-06-01 13:19:32, Oslo 1947-07-01 13:00:00" \
  "$(psql -h 127.0.0.1 -p "$postgres_port" -U postgres -Atc "$query")"
shorter="Amsterdam 1930-06-01 13:00:00, Oslo 1947-07-01 14:00:00"
observe PGlite "$shorter" "$(node pglite.mjs "$query")"
observe Deno "$shorter" "$("$deno" run deno.ts)"

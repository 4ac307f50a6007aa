#!/usr/bin/env bash
# postgres.js 3.4.9 (npm) with PostgreSQL 15 (Debian): timestamps are parsed by JavaScript's Date in
# the form that the server writes. A moment whose offset has seconds, as a session in Amsterdam has
# before July 1937, a year BC, and infinity become an Invalid Date, without an error. The same
# moment is read in UTC.
#   1930 in a session in Amsterdam: Invalid Date
#   1930 in a session in UTC: 1930-06-01T12:00:00.000Z
#   44 BC: Invalid Date
#   infinity: Invalid Date
. "$(dirname "$0")/lib.sh"
npm_packages postgres@3.4.9
start_postgres
debian tzdata 2025b-0+deb12u2
cat > ask.mjs <<'JS'
import postgres from "postgres";
const sql = postgres(process.argv[2], { max: 1, onnotice() {} });
const show = ([{ seen }]) => console.log(isNaN(seen) ? String(seen) : seen.toISOString());
await sql`set timezone = 'Europe/Amsterdam'`;
show(await sql`select '1930-06-01 12:00+00'::timestamptz as seen`);
await sql`set timezone = 'UTC'`;
show(await sql`select '1930-06-01 12:00+00'::timestamptz as seen`);
show(await sql`select '0044-03-15 12:00+00 BC'::timestamptz as seen`);
show(await sql`select 'infinity'::timestamptz as seen`);
await sql.end();
JS
seen=$(node ask.mjs "postgres://postgres@127.0.0.1:$postgres_port/postgres")
observe "1930 in a session in Amsterdam" "Invalid Date" "$(sed -n 1p <<< "$seen")"
observe "1930 in a session in UTC" 1930-06-01T12:00:00.000Z "$(sed -n 2p <<< "$seen")"
observe "44 BC" "Invalid Date" "$(sed -n 3p <<< "$seen")"
observe infinity "Invalid Date" "$(sed -n 4p <<< "$seen")"

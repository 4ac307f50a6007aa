#!/usr/bin/env bash
# postgres.js 3.4.9 (npm) with PostgreSQL 15 (Debian): a parameter that is text already is written
# again by the type that the server infers for it. JSON text that is cast to jsonb becomes a JSON
# string, not an object; a timestamp loses its microseconds; the hexadecimal form of bytes becomes
# the bytes of its digits. A cast to text in between keeps each value. Shown: the JSON type, the
# microseconds, the length in bytes.
#   {"a":1} cast to jsonb: string
#   {"a":1} cast to text, then jsonb: object
#   .123456Z cast to timestamptz: 123000
#   .123456Z cast to text, then timestamptz: 123456
#   \x00ff cast to bytea: 6
#   \x00ff cast to text, then bytea: 2
. "$(dirname "$0")/lib.sh"
npm_packages postgres@3.4.9
start_postgres
cat > ask.mjs <<'JS'
import postgres from "postgres";
const sql = postgres(process.argv[2], { onnotice() {} });
const show = ([row]) => console.log(row.seen);
const json = JSON.stringify({ a: 1 });
const time = "2024-03-10T10:00:00.123456Z";
const bytes = "\\x00ff";
show(await sql`select jsonb_typeof(${json}::jsonb) as seen`);
show(await sql`select jsonb_typeof(${json}::text::jsonb) as seen`);
show(await sql`select extract(microseconds from ${time}::timestamptz)::int as seen`);
show(await sql`select extract(microseconds from ${time}::text::timestamptz)::int as seen`);
show(await sql`select length(${bytes}::bytea) as seen`);
show(await sql`select length(${bytes}::text::bytea) as seen`);
await sql.end();
JS
seen=$(node ask.mjs "postgres://postgres@127.0.0.1:$postgres_port/postgres")
observe '{"a":1} cast to jsonb' string "$(sed -n 1p <<< "$seen")"
observe '{"a":1} cast to text, then jsonb' object "$(sed -n 2p <<< "$seen")"
observe ".123456Z cast to timestamptz" 123000 "$(sed -n 3p <<< "$seen")"
observe ".123456Z cast to text, then timestamptz" 123456 "$(sed -n 4p <<< "$seen")"
observe '\x00ff cast to bytea' 6 "$(sed -n 5p <<< "$seen")"
observe '\x00ff cast to text, then bytea' 2 "$(sed -n 6p <<< "$seen")"

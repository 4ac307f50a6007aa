#!/usr/bin/env bash
# postgres.js 3.4.9 (npm) with PostgreSQL 15 (Debian): the default parser of arrays returns an element that
# is null as the text "NULL", the same as for an element that is the word. The column's value itself is null
# correctly, and to_json keeps the two apart.
#   array['a', null, 'NULL']: ["a","NULL","NULL"]
#   to_json of it: ["a",null,"NULL"]
#   null::text[]: null
. "$(dirname "$0")/lib.sh"
npm_packages postgres@3.4.9
start_postgres
cat > ask.mjs <<'JS'
import postgres from "postgres";
const sql = postgres(process.argv[2], { onnotice() {} });
const show = ([row]) => console.log(JSON.stringify(row.seen));
show(await sql`select array['a', null, 'NULL'] as seen`);
show(await sql`select to_json(array['a', null, 'NULL']) as seen`);
show(await sql`select null::text[] as seen`);
await sql.end();
JS
seen=$(node ask.mjs "postgres://postgres@127.0.0.1:$postgres_port/postgres")
observe "array['a', null, 'NULL']" '["a","NULL","NULL"]' "$(sed -n 1p <<< "$seen")"
observe "to_json of it" '["a",null,"NULL"]' "$(sed -n 2p <<< "$seen")"
observe "null::text[]" null "$(sed -n 3p <<< "$seen")"

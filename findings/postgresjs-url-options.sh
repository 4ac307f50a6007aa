#!/usr/bin/env bash
# postgres.js 3.4.9 (npm) with PostgreSQL 15 (Debian): URLs that psql accepts, as hosting providers
# print them, do not connect. Parameters of libpq that the driver does not know are sent to the
# server as settings, which refuses them; `any`, libpq's default of target_session_attrs, is refused
# by the driver.
#   psql, all three: connected
#   channel_binding=prefer: unrecognized configuration parameter "channel_binding"
#   keepalives=1: unrecognized configuration parameter "keepalives"
#   target_session_attrs=any: target_session_attrs any is not supported
. "$(dirname "$0")/lib.sh"
npm_packages postgres@3.4.9
start_postgres
debian postgresql-client-15 15.18-0+deb12u1
url="postgres://postgres@127.0.0.1:$postgres_port/postgres"
cat > connect.mjs <<'JS'
import postgres from "postgres";
try {
  const sql = postgres(process.argv[2], { onnotice() {} });
  await sql`select 1`;
  await sql.end();
  console.log("connected");
} catch (error) {
  console.log(error.message);
}
process.exit();
JS
all="channel_binding=prefer&keepalives=1&target_session_attrs=any"
observe "psql, all three" connected "$(psql "$url?$all" -Atc "select 'connected'")"
for option in channel_binding=prefer keepalives=1; do
  observe "$option" "unrecognized configuration parameter \"${option%=*}\"" \
    "$(node connect.mjs "$url?$option")"
done
option=target_session_attrs=any
observe "$option" "target_session_attrs any is not supported" "$(node connect.mjs "$url?$option")"

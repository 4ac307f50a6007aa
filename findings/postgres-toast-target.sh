#!/usr/bin/env bash
# PostgreSQL 15.18 (Debian): its manual calls `toast_tuple_target` the shortest row that the server
# tries to compress. A lower value compresses no shorter row: that begins at 2 KB (a constant of the
# program, TOAST_TUPLE_THRESHOLD), and the value only tells how far such a row shrinks.
#   value of 1950 bytes, target 128 and default: 1954, 1954
#   value of 2050 bytes, target 128 and default: 39, 39
. "$(dirname "$0")/lib.sh"
start_postgres
query() { psql -qAt -h 127.0.0.1 -p "$postgres_port" -U postgres -c "$1"; }
query "create table low (a text) with (toast_tuple_target = 128); create table plain (a text);
  insert into low values (repeat('word ', 390)), (repeat('word ', 410));
  insert into plain select a from low"
stored() {
  query "select (select pg_column_size(a) from low where length(a) = $1) || ', ' ||
                (select pg_column_size(a) from plain where length(a) = $1)"
}
observe "value of 1950 bytes, target 128 and default" "1954, 1954" "$(stored 1950)"
observe "value of 2050 bytes, target 128 and default" "39, 39" "$(stored 2050)"

#!/usr/bin/env bash
# PGlite 0.5.17 (npm) on a folder, in Node: the start parameters that turn fsync on, and
# relaxedDurability: false, do not make a commit durable. `show fsync` answers "on", but the file
# system under it has no fsync: the process never calls it, from creation to close.
#   show fsync: on
#   calls of fsync, fdatasync or sync_file_range: 0
. "$(dirname "$0")/lib.sh"
npm_packages @electric-sql/pglite@0.5.17
debian strace 6.1-0.1
cat > write.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...["-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "wal_sync_method=fsync"],
];
const engine = await PGlite.create({ dataDir: "data", startParams, relaxedDurability: false });
await engine.exec("create table note (text text); insert into note values ('kept'); checkpoint;");
console.log((await engine.query("show fsync")).rows[0].fsync);
await engine.close();
JS
seen=$(strace -f -o trace.txt -e trace=fsync,fdatasync,sync_file_range,openat node write.mjs)
observe "show fsync" on "$seen"
grep -q 'data/pg_wal/.*O_RDWR' trace.txt # The trace includes the writer of the log.
observe "calls of fsync, fdatasync or sync_file_range" 0 \
  "$(grep -cE ' (fsync|fdatasync|sync_file_range)\(' trace.txt || true)"

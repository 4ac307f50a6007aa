#!/usr/bin/env bash
# PGlite 0.5.17 (npm): `show autovacuum` answers "on", and dead rows are counted, but nothing
# removes them: the engine has no background processes. Only a VACUUM of the program does.
#   show autovacuum, autovacuum_naptime: on, 1s
#   20000 dead rows, after 5 seconds: 20000 counted, 0 automatic runs
#   bytes of the table before and after VACUUM: 729088, 0
. "$(dirname "$0")/lib.sh"
npm_packages @electric-sql/pglite@0.5.17
cat > vacuum.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
const eager = ["naptime=1s", "vacuum_threshold=1", "vacuum_scale_factor=0"];
const startParams = [
  ...PGlite.defaultStartParams,
  ...eager.flatMap((setting) => ["-c", `autovacuum_${setting}`]),
];
const engine = await PGlite.create({ startParams });
const one = async (query) => (await engine.query(query, [], { rowMode: "array" })).rows[0].join(", ");
const bytes = "select pg_relation_size('t')";
await engine.exec("create table t (a int); insert into t select generate_series(1, 20000); delete from t;");
await new Promise((resolve) => setTimeout(resolve, 5000));
console.log(await one("select current_setting('autovacuum'), current_setting('autovacuum_naptime')"));
console.log(await one(
  "select n_dead_tup || ' counted', autovacuum_count || ' automatic runs' from pg_stat_user_tables",
));
const before = await one(bytes);
await engine.exec("vacuum t");
console.log(`${before}, ${await one(bytes)}`);
await engine.close();
JS
seen=$(node vacuum.mjs)
observe "show autovacuum, autovacuum_naptime" "on, 1s" "$(sed -n 1p <<< "$seen")"
observe "20000 dead rows, after 5 seconds" "20000 counted, 0 automatic runs" "$(sed -n 2p <<< "$seen")"
observe "bytes of the table before and after VACUUM" "729088, 0" "$(sed -n 3p <<< "$seen")"

/**
 * Measures the first page of what is due among 10,000 open things, next to a list of 50 records, in a cluster
 * of its own:
 *
 *     deno run -A scripts/bench/due.ts
 *
 * It prints milliseconds of a read, without HTTP, and their ratio.
 */

import { CATALOG } from "../../src/catalog/catalog.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { DUE_KINDS } from "../../src/due/due.ts";
import { readDue } from "../../src/due/due_store.ts";
import { readListQuery } from "../../src/records/list_query.ts";
import { readList } from "../../src/records/list_store.ts";
import { insertInto, newAccount } from "../../tests/storage/rows.ts";
import { insertManyDue } from "../../tests/storage/due_rows.ts";
import { openServer } from "./server.ts";
import { median } from "./statistics.ts";

/** Open records of each of three modules, and as many completed ones. */
const OPEN = 3_334;
const ROUNDS = 200;

async function measure(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  return median(times);
}

await using server = await openServer(null);
if (server === null) throw new Error("PostgreSQL is not installed");
const database = openPostgres(server.serviceUrl, 2);
try {
  await migrate(database);
  const account = newAccount();
  const owner = String(account.account_id);
  await database.transaction((tx) => tx.script(insertInto("accounts", account)));
  const first = new Date(Date.now() - 10 * 86_400_000).toISOString();
  await database.transaction((tx) => tx.script(insertManyDue(owner, OPEN, first)));
  await server.vacuum();
  const moment = new Date();
  const due = await measure(() =>
    database.read((sql) =>
      readDue(sql, owner, {
        kinds: DUE_KINDS,
        from: null,
        until: new Date(moment.getTime() + 7 * 86_400_000),
        moment,
        after: null,
        withSecrets: true,
        limit: 50,
      })
    )
  );
  const module = CATALOG.modules.find(({ code }) => code === "commitment");
  if (module === undefined) throw new Error("The catalog has commitments");
  const query = readListQuery(module, new URLSearchParams({ limit: "50" }));
  const list = await measure(() => database.read((sql) => readList(sql, owner, module, query)));
  const lines = [
    `first page of what is due  ${due.toFixed(2)} ms`,
    `list of 50 records         ${list.toFixed(2)} ms`,
    `ratio                      ${(due / list).toFixed(1)}`,
  ];
  Deno.stdout.writeSync(new TextEncoder().encode(lines.join("\n") + "\n"));
} finally {
  await database.close();
}

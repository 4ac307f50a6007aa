/** A run of people that ends after any of its transactions and is resumed, with the same result. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import type { ImportRow } from "../../src/imports/import.ts";
import { MAX_ITEMS } from "../../src/imports/prepare.ts";
import { findImport } from "../../src/imports/import_store.ts";
import { runImport } from "../../src/imports/run.ts";
import { createLog } from "../../src/core/log.ts";
import { SpoolShares } from "../../src/core/spool_shares.ts";
import { createTargets } from "../../src/imports/targets.ts";
import { ImportWork } from "../../src/imports/work.ts";
import { card as cardOf } from "../families/relationship/cards.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { planned, ran } from "./imports.ts";

const world = fileWorld();

const CARDS = 105;

function card(...lines: readonly string[]): string {
  return cardOf("VERSION:4.0", ...lines);
}

const FILE = Array.from({ length: CARDS }, (_, index) =>
  card(
    `UID:${index}`,
    `FN:P${index}`,
    "NOTE:Once",
    `RELATED;TYPE=friend:urn:uuid:${(index + 1) % CARDS}`,
    "RELATED;VALUE=text;TYPE=kin:Max",
    `RELATED;TYPE=kin:urn:uuid:${(index * 7) % CARDS}`,
  )).join("") + card("KIND:group", "UID:g", "FN:G", "MEMBER:urn:uuid:1", "MEMBER:urn:uuid:99");

async function rowOf(caller: Caller, importId: string): Promise<ImportRow> {
  const [row] = await world().database.read((sql) => findImport(sql, caller.accountId, importId));
  assert(row !== undefined);
  return row;
}

/** Ends after this many transactions; false if it ended before. */
async function runUntil(row: ImportRow, transactions: number): Promise<boolean> {
  const { database, objects, importFolder: folder, now: clock } = world();
  const stop = new AbortController();
  let done = 0;
  class Commands extends CommandRunner {
    override async runMany(...args: Parameters<CommandRunner["runMany"]>): Promise<Json> {
      const result = await super.runMany(...args);
      if (++done === transactions) stop.abort();
      return result;
    }
  }
  const commands = new Commands(database) as CommandRunner;
  const services = {
    database,
    objects,
    folder,
    commands,
    clock,
    spools: new SpoolShares(Infinity, [], () => {}),
    maximumItems: MAX_ITEMS,
    log: createLog("silent"),
  };
  const work = new ImportWork(
    { ...services, targets: createTargets(CATALOG) },
    row,
    stop.signal,
  );
  try {
    await runImport(work, row);
    return false;
  } catch (error) {
    assertStrictEquals(error, stop.signal.reason);
    return true;
  }
}

/** All that an import wrote, without identifiers and times. */
async function contentOf({ accountId }: Caller): Promise<Json> {
  const people = await world().rows(`
    select p.person_name as name, p.revision, p.status, count(x.*)::integer as notes,
           (select json_agg(d.value ->> 'value') from person_details d
             where d.owner_id = p.owner_id and d.person_id = p.person_id
               and d.kind = 'OTHER') as lines,
           (select json_agg(coalesce(o.person_name, d.value ->> 'name') || ' ' || (d.value ->> 'relation')
                            order by d.person_revision, d.value ->> 'relation', o.person_name)
              from person_details d
                   left join people o on o.owner_id = d.owner_id and o.person_id = d.linked_person
             where d.owner_id = p.owner_id and d.person_id = p.person_id and d.kind = 'LINK') as links
      from people p left join person_experiences x
        on x.owner_id = p.owner_id and x.person_id = p.person_id
     where p.owner_id = '${accountId}' group by p.owner_id, p.person_id order by p.person_name`);
  const others = await world().rows(`
    select (select json_agg(change order by revision) from record_revisions r
             where r.owner_id = '${accountId}' and r.title = 'G') as community,
           (select json_agg(json_build_array(key, change) order by key, origin_id)
              from import_origins where owner_id = '${accountId}') as origins,
           (select count(*)::integer from audit_entries
             where owner_id = '${accountId}' and operation = 'import.item') as audited`);
  return [people, others];
}

/** Plans the file with an archived item, and with a link whose line stays. */
async function planWith(caller: Caller): Promise<Json> {
  const plan = await planned(caller, "vcard", FILE);
  const path = world().importFolder.path(plan.importId, "items");
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  lines[2].archived = true;
  lines[2].people.links.push({
    keys: ["nobody"],
    relation: "kin",
    name: "nobody",
    line: "RELATED:urn:uuid:nobody",
    detail: {},
  });
  await Deno.writeTextFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return plan;
}

Deno.test("A run of people that ends after each of its transactions becomes what one run becomes", async () => {
  const [once, often] = [await world().createCaller(), await world().createCaller()];
  await ran(once, await planWith(once));

  const { importId } = await planWith(often);
  await waitUntil("the worker has let go of the import", async () => {
    return await world().importFolder.hold(importId) !== null;
  });
  await world().raw(`update imports set state = 'RUNNING' where import_id = '${importId}'`);
  // The original and the batches; then the links, which each run begins again.
  let row = await rowOf(often, importId);
  for (; row.done < (row.total ?? 0); row = await rowOf(often, importId)) {
    assert(await runUntil(row, 1));
  }
  for (const transactions of [1, 2]) assert(await runUntil(row, transactions));
  assertEquals(await runUntil(row, 9), false);
  assertEquals((await rowOf(often, importId)).state, "DONE");
  const [expected, found] = [await contentOf(once), await contentOf(often)];
  assertEquals(found, expected);
  assertEquals(expected[0].length, CARDS);
  // The first one's third link would be to itself.
  assertEquals(expected[0][0], {
    ...expected[0][0],
    name: "P0",
    revision: 2,
    notes: 1,
    links: ["P1 friend", "Max kin"],
  });
  const archived = expected[0].filter(({ status }: Json) => status === "ARCHIVED");
  assertEquals(
    archived.map(({ name, revision, links, lines }: Json) => [name, revision, links, lines]),
    [
      ["P2", 3, ["P3 friend", "P14 kin", "Max kin"], ["RELATED:urn:uuid:nobody"]],
    ],
  );
});

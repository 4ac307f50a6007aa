// engines: postgres
/** Guarantees of every kind of root, attacked with raw SQL in any role. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import {
  changeRow,
  constraintsOf,
  insertContext,
  insertLedgerRow,
  insertOwned,
  insertRow,
  insertWithoutRevision,
  newRow,
  projectStep,
  type RootKind,
  stepRow,
} from "./family_rows.ts";
import { ROOT_KINDS } from "./root_kinds.ts";
import {
  assertRefusedToAll,
  insertInto,
  isRow,
  literal,
  newAccount,
  nextRoot,
  refusal,
  type Row,
} from "./rows.ts";

const world = sharedWorld();

/** Stores a root with its own owner. */
async function storedRow(kind: RootKind): Promise<Row> {
  const row = newRow(kind, ulid());
  await world().raw(insertOwned(kind, row));
  return row;
}

async function assertRefusal(script: string, expected: string | null): Promise<void> {
  assertEquals(await refusal(world(), script), expected, script);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

async function columnsOf(table: string): Promise<Column[]> {
  return await world().rows(`
    select column_name as name, data_type as type, is_nullable = 'YES' as nullable
      from information_schema.columns
     where table_schema = 'public' and table_name = '${table}' order by ordinal_position`);
}

/** The columns that revisions change. */
async function changingColumns(
  { root, ledger, id, restricted = [] }: RootKind,
): Promise<Column[]> {
  const shared = new Set((await columnsOf(ledger)).map(({ name }) => name));
  const others = ["owner_id", id, "revision", "revision_id", "created_at", ...restricted];
  return (await columnsOf(root)).filter(({ name }) => shared.has(name) && !others.includes(name));
}

/** Not yet in the column. */
function forgeryOf({ name, type }: Column): Row[string] {
  if (name.endsWith("_id")) return ulid();
  if (type.startsWith("timestamp")) return "2026-11-20T11:59:59.999Z";
  return type === "text" ? "FORGED" : 7;
}

/** Different from the root's. */
function forgeriesOf({ name, type, nullable }: Column, { others }: RootKind, row: Row): Row[] {
  const forged = [{ [name]: others[name] ?? null }];
  if (nullable && row[name] !== null) forged.push({ [name]: null });
  // Texts are stored to the byte.
  if (type === "json" && row[name] !== null) forged.push({ [name]: `${row[name]} ` });
  return forged;
}

Deno.test("Every root with a ledger is of a kind attacked here", async () => {
  const rows = await world().rows(`
    select distinct tgrelid::regclass::text as ledger from pg_trigger
     where tgname like '%\\_match\\_root' order by 1`);
  assertEquals(rows.map(({ ledger }) => ledger), ROOT_KINDS.map(({ ledger }) => ledger).sort());
});

for (const kind of ROOT_KINDS) {
  const { root, ledger, id, fixed, restricted = [], others } = kind;
  const names = constraintsOf(kind);

  Deno.test(`Each column of ${root} is fixed, or changes with the ledger's`, async () => {
    const [ofRoot, ofLedger] = [await columnsOf(root), await columnsOf(ledger)]
      .map((columns) => columns.map(({ name }) => name));
    const common = ["owner_id", id, "revision", "revision_id", "created_at"];
    const changing = [...Object.keys(others), ...restricted];
    const ofRootAlone = [
      ...("clocks" in kind.sample() ? ["clocks_revision"] : []),
      ...(root === "people" ? ["name_revision"] : []),
    ];
    assertEquals(
      ofRoot?.sort(),
      [...common, "updated_at", ...fixed, ...changing, ...ofRootAlone].sort(),
    );
    const own = ["change", "previous_revision"];
    assertEquals(ofLedger?.sort(), [...common, ...own, ...changing].sort());
  });

  Deno.test(`The fixed columns of ${root} cannot change`, async () => {
    const row = await storedRow(kind);
    const kept = ["owner_id", id, "created_at", ...fixed];
    for (const column of (await columnsOf(root)).filter(({ name }) => kept.includes(name))) {
      const forgeries = [forgeryOf(column), ...(column.nullable ? [null] : [])];
      for (const forged of forgeries.filter((forged) => forged !== row[column.name])) {
        const attack = changeRow(kind, row, nextRoot(row, { [column.name]: forged }));
        await assertRefusedToAll(world(), attack, "PRS04");
      }
    }
    const conflict = `insert into ${root} select * from ${root} where ${isRow(id, row)}
      on conflict (owner_id, ${id}) do update set created_at = now(), revision = 2`;
    await assertRefusedToAll(world(), conflict, "PRS04");
  });

  Deno.test(`The revision of ${root} steps by one, and no row is deleted`, async () => {
    const row = await storedRow(kind);
    for (const revision of [0, 1, 3, null]) {
      const attack = changeRow(kind, row, { ...row, revision_id: ulid(), revision });
      await assertRefusedToAll(world(), attack, "PRS03");
    }
    for (const table of [root, ledger]) {
      const attack = `delete from ${table} where ${isRow(id, row)}`;
      await assertRefusedToAll(world(), attack, "PRS01");
    }
    const rewritten = `update ${ledger} set revision_id = ${literal(ulid())} where ${
      isRow(id, row)
    }`;
    await assertRefusedToAll(world(), rewritten, "PRS01");
  });

  Deno.test(`A row of ${root} and its newest ledger row come together, without a gap`, async () => {
    const row = await storedRow(kind);
    const next = nextRoot(row);
    const ahead = projectStep(kind, row) + insertLedgerRow(kind, next);
    await assertRefusedToAll(world(), ahead, "PRS05");
    await assertRefusal(`set constraints all immediate; ${ahead}`, "PRS05");
    const gap = projectStep(kind, row) + projectStep(kind, next) +
      insertLedgerRow(kind, nextRoot(next));
    await assertRefusal(gap, `23503 ${names.follows}`);

    const owner = newAccount();
    const other = newRow(kind, String(owner.account_id));
    const around = insertInto("accounts", owner);
    const unrevised = insertWithoutRevision(kind, other);
    await assertRefusal(around + unrevised, `23503 ${names.hasRevision}`);
    const rootless = around + insertContext(kind, other) + insertLedgerRow(kind, other);
    await assertRefusal(rootless, `23503 ${names.hasRoot}`);
    // Replication skips foreign keys; the guard does not depend on them.
    await assertRefusal(`set local session_replication_role = replica; ${rootless}`, "PRS05");
    if (kind.onlyRevision !== undefined) return;
    const unwritten = projectStep(kind, row) + changeRow(kind, row, next);
    await assertRefusal(unwritten, `23503 ${names.hasRevision}`);
  });

  Deno.test(`No column of ${root} differs from its newest ledger row`, async () => {
    const row = await storedRow(kind);
    // The ledger's own constraint rejects other forgeries of clocks.
    const changing = (await changingColumns(kind)).filter(({ name }) => name !== "clocks")
      .flatMap((column) => forgeriesOf(column, kind, row));
    const own = { revision_id: ulid(), created_at: "2026-11-20T12:00:00.001Z" };
    const forgeries: Row[] = [
      ...Object.entries(own).map(([name, value]) => ({ [name]: value })),
      ...changing,
    ];
    // Without replication foreign keys would reject some before the guard.
    const replicating = "set local session_replication_role = replica;";
    for (const forged of forgeries) {
      const created = insertRow(kind, newRow(kind, ulid()), forged);
      await assertRefusal(replicating + created, "PRS05");
      if (kind.onlyRevision !== undefined) continue;
      await assertRefusal(replicating + stepRow(kind, row, nextRoot(row), forged), "PRS05");
    }
  });

  if ("clocks" in others) {
    Deno.test(`A step of ${root} that does not name clocks has none`, async () => {
      const row = await storedRow(kind);
      const second = nextRoot(row, others);
      await world().raw(stepRow(kind, row, second));
      const { clocks: _, ...third } = nextRoot(second);
      await assertRefusal(stepRow(kind, second, third), null);
      const forged = stepRow(kind, third, nextRoot(third, others), { clocks: null });
      await assertRefusal(forged, "PRS05");
      const stored = `select clocks::text from ${root} where ${isRow(id, row)}`;
      assertEquals(await world().rows(stored), [{ clocks: null }]);
    });
  }

  Deno.test(`A row of ${root} steps together with its ledger`, async () => {
    const row = await storedRow(kind);
    if (kind.onlyRevision !== undefined) {
      const second = changeRow(kind, row, nextRoot(row));
      return await assertRefusal(second, `23514 ${kind.onlyRevision}`);
    }
    const second = nextRoot(row, others);
    await assertRefusal(stepRow(kind, row, second), null);
    const back = Object.keys(others).map((column) => [column, row[column] ?? null]);
    const third = nextRoot(second, Object.fromEntries(back));
    const twice = stepRow(kind, second, third) + stepRow(kind, third, nextRoot(third));
    await assertRefusal(twice, null);
  });
}

// engines: postgres
/** A superuser changes the audit trail: verification finds where. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sealTrails } from "../../src/audit/sealing.ts";
import { TRAIL_KINDS, type TrailKind } from "../../src/audit/trail.ts";
import { newId } from "../../src/core/ids.ts";
import { fileWorld, type Json } from "../support/world.ts";
import {
  attack,
  brokenOf,
  digestsOf,
  newEntry,
  sealAll,
  SEALED_TABLES,
  verify,
  write,
} from "./audit_trail.ts";
import { insertInto } from "./rows.ts";

const world = fileWorld();

/** Three seals of three entries. */
interface Sealed {
  readonly kind: TrailKind;
  readonly account: string;
  readonly ids: readonly string[];
  /** Condition of the middle entry. */
  readonly middle: string;
}

/** Makes trails that are sealed together. */
async function sealThree(kinds: readonly TrailKind[]): Promise<Sealed[]> {
  const trails = kinds.map((kind) => ({ kind, account: ulid(), ids: [] as string[] }));
  for (let seal = 0; seal < 3; seal++) {
    for (let index = 0; index < 3; index++) {
      world().advance(60_000);
      const script = trails.map(({ kind, account, ids }) => {
        const entry = newEntry(world(), kind, account);
        ids.push(String(entry[SEALED_TABLES[kind].id]));
        return insertInto(SEALED_TABLES[kind].table, entry);
      });
      await world().raw(script.join(""));
    }
    await sealAll(world());
  }
  return trails.map((trail) => {
    const { owner, id } = SEALED_TABLES[trail.kind];
    const middle = `${owner} = '${trail.account}' and ${id} = '${trail.ids[4]}'`;
    return { ...trail, middle };
  });
}

async function sealOne(): Promise<Sealed> {
  const [trail] = await sealThree(["audit"]);
  assert(trail !== undefined);
  return trail;
}

function between(trail: Sealed, index: number): string {
  const at = new Date(world().now().getTime() - (trail.ids.length - index) * 60_000 + 30_000);
  return newId(at);
}

/** An entry with another identifier and transaction. */
function entry(trail: Sealed, id: string, transaction?: string): string {
  const { table, id: column } = SEALED_TABLES[trail.kind];
  const columns = transaction === undefined ? {} : { transaction_id: transaction };
  return insertInto(
    table,
    newEntry(world(), trail.kind, trail.account, { [column]: id, ...columns }),
  );
}

function sealOf({ kind, account }: Sealed, number: number): string {
  return `account_id = '${account}' and kind = '${kind}' and number = ${number}`;
}

/** With the expected finding. */
const ATTACKS: Readonly<Record<string, (trail: Sealed) => readonly [string, string]>> = {
  "An entry is removed": ({ kind, middle }) => [
    `delete from ${SEALED_TABLES[kind].table} where ${middle}`,
    "2 entries",
  ],
  "An entry is moved to another account": ({ kind, middle }) => {
    const { table, owner } = SEALED_TABLES[kind];
    return [
      `update ${table} set ${owner} = '${newId(world().now())}' where ${middle}`,
      "2 entries",
    ];
  },
  "An entry gets another identifier": (trail) => {
    const { table, id } = SEALED_TABLES[trail.kind];
    return [
      `update ${table} set ${id} = '${between(trail, 5)}' where ${trail.middle}`,
      "2 entries",
    ];
  },
  "An entry gets an identifier in a later seal": (trail) => {
    const { table, id } = SEALED_TABLES[trail.kind];
    return [
      `update ${table} set ${id} = '${between(trail, 7)}' where ${trail.middle}`,
      "2 entries",
    ];
  },
  "An entry is added as of an old transaction": (trail) => [
    entry(trail, between(trail, 4), "0"),
    "2 entries",
  ],
  "An entry is added as of a transaction to come": (trail) => [
    entry(trail, between(trail, 4), "9000000000000000000"),
    "2 entries",
  ],
  "An entry is added as one restored": (trail) => {
    const { table, owner, id } = SEALED_TABLES[trail.kind];
    const added = between(trail, 4);
    const restored = `update ${table} set transaction_id = null
      where ${owner} = '${trail.account}' and ${id} = '${added}'`;
    return [`${entry(trail, added)} ${restored}`, "2 entries"];
  },
  "An entry is added behind the newest seal as sealed": (trail) => [
    entry(trail, between(trail, 99), "0"),
    "4 absent",
  ],
  "An entry is added, and named late in a seal": (trail) => {
    const added = between(trail, 4);
    const late = { account_id: trail.account, kind: trail.kind, entry_id: added, number: 3 };
    return [entry(trail, added, "0") + insertInto("audit_late_entries", late), "3 entries"];
  },
  "An entry is added, and named late in a seal to come": (trail) => {
    const added = between(trail, 4);
    const late = { account_id: trail.account, kind: trail.kind, entry_id: added, number: 9 };
    return [entry(trail, added, "0") + insertInto("audit_late_entries", late), "4 absent"];
  },
  "An entry is added that is dated two hours back": (trail) => [
    entry(trail, newId(new Date(world().now().getTime() - 7_200_000))),
    "4 backdated",
  ],
  "An entry is declared to wait for its seal": ({ kind, middle }) => [
    `update ${SEALED_TABLES[kind].table} set transaction_id = pg_current_xact_id()::text::bigint
      where ${middle}`,
    "2 entries",
  ],
  "An entry gets a moment that is none": ({ kind, middle }) => [
    `update ${SEALED_TABLES[kind].table} set created_at = 'infinity' where ${middle}`,
    "2 entries",
  ],
  "The first seal is dropped": (trail) => [
    `delete from audit_seals where ${sealOf(trail, 1)}`,
    "1 missing",
  ],
  "A seal is dropped": (trail) => [
    `delete from audit_seals where ${sealOf(trail, 2)}`,
    "2 missing",
  ],
  "The newest seal is dropped": (trail) => [
    `delete from audit_seals where ${sealOf(trail, 3)}`,
    "3 absent",
  ],
  "A seal is dropped with its entries, and the chain is closed": (trail) => {
    const { table, owner, id } = SEALED_TABLES[trail.kind];
    return [
      `delete from audit_seals where ${sealOf(trail, 2)};
       delete from ${table}
        where ${owner} = '${trail.account}' and ${id} between '${trail.ids[3]}' and '${
        trail.ids[5]
      }';
       update audit_seals set number = 2,
              previous = (select digest from audit_seals where ${sealOf(trail, 1)})
        where ${sealOf(trail, 3)}`,
      "2 digest",
    ];
  },
  "A seal is moved to another trail": (trail) => [
    `update audit_seals set account_id = '${ulid()}' where ${sealOf(trail, 3)}`,
    "3 absent",
  ],
};

/** Unused by these entries. */
function otherValue({ name, type, domain }: Json): string {
  const known: Readonly<Record<string, string>> = {
    event: "'LOGOUT'",
    credential_kind: "'TOKEN'",
    address_digest: "'0123456789abcdef'",
    client: "'Firefox on Windows'",
  };
  if (known[name] !== undefined) return known[name];
  if (domain === "ulid") return `'${newId(world().now())}'`;
  if (type === "integer") return "7";
  return type === "text" ? "'another'" : "created_at + interval '1 millisecond'";
}

async function changesOf(kind: TrailKind): Promise<[string, (trail: Sealed) => string][]> {
  const { table } = SEALED_TABLES[kind];
  const columns = await world().rows(`
    select column_name as name, data_type as type, domain_name as domain
      from information_schema.columns
     where table_schema = 'public' and table_name = '${table}' and column_name <> 'transaction_id'`);
  return columns.map((column) => [
    `${table}.${column.name}`,
    ({ middle }) => `update ${table} set ${column.name} = ${otherValue(column)} where ${middle}`,
  ]);
}

/** By member, with the expected finding. */
const MEMBERS: Readonly<Record<string, readonly [string, string]>> = {
  number: ["4", "3 missing"],
  seal_id: ["seal_id_of_another", "3 digest"],
  entries: ["4", "3 digest"],
  first_id: ["last_id", "3 digest"],
  last_id: ["first_id", "3 digest"],
  through_id: ["first_id", "3 entries"],
  root: ["sha256(root)", "3 digest"],
  previous: ["sha256(previous)", "3 previous"],
  digest: ["sha256(digest)", "3 digest"],
  created_at: ["created_at + interval '1 millisecond'", "3 digest"],
};

Deno.test("Verification names the first seal that an attack broke", async () => {
  const attacks: [string, TrailKind, (trail: Sealed) => readonly [string, string]][] = [];
  for (const kind of TRAIL_KINDS) {
    for (const [name, attackOn] of Object.entries(ATTACKS)) attacks.push([name, kind, attackOn]);
    for (const [name, change] of await changesOf(kind)) {
      attacks.push([`${name} is changed`, kind, (trail) => [change(trail), "2 entries"]]);
    }
  }
  for (const [member, [value, found]] of Object.entries(MEMBERS)) {
    const other = value.replace("seal_id_of_another", `'${ulid()}'`);
    const change = (trail: Sealed) =>
      `update audit_seals set ${member} = ${other} where ${sealOf(trail, 3)}`;
    attacks.push([`audit_seals.${member} is changed`, "audit", (trail) => [change(trail), found]]);
  }
  const trails = await sealThree(attacks.map(([, kind]) => kind));
  assertEquals((await verify(world())).broken, []);
  const done = attacks.map(([name, kind, attackOn], index) => {
    const trail = trails[index];
    assert(trail !== undefined);
    const [script, found] = attackOn(trail);
    return { name: `${kind}: ${name}`, trail, script, found };
  });
  const unordered = "alter table audit_seals drop constraint audit_seal_ids_ordered;";
  await attack(world(), unordered + done.map(({ script }) => script).join(";"));
  const { broken } = await verify(world());
  const foundOf = ({ account }: Sealed) =>
    broken.find(({ accountId }) => accountId === account) ?? { number: 0, fault: "none" };
  for (const { name, trail, found } of done) {
    const { number, fault } = foundOf(trail);
    assertEquals(`${number} ${fault}`, found, name);
  }
});

Deno.test("Truncated or recreated chains are valid in themselves, and an anchor detects them", async () => {
  const [cut, chained] = [await sealOne(), await sealOne()];
  const { table, owner, id } = SEALED_TABLES.audit;
  const anchors = async (trail: Sealed) => await digestsOf(world(), "audit", trail.account);
  const [ofCut, ofChained] = [await anchors(cut), await anchors(chained)];
  const before = await verify(world(), [...ofCut, ...ofChained]);
  assertEquals(before.missingAnchors, []);
  await attack(
    world(),
    `delete from audit_seals where ${sealOf(cut, 3)};
     delete from ${table} where ${owner} = '${cut.account}' and ${id} >= '${cut.ids[6]}';
     delete from audit_seals where account_id = '${chained.account}' and number >= 2;
     delete from ${table} where ${chained.middle};
     update ${table} set transaction_id = (select sealed_below from audit_sealing)
      where ${owner} = '${chained.account}' and ${id} >= '${chained.ids[3]}'`,
  );
  await sealAll(world());
  assertEquals(await brokenOf(world(), cut.account), []);
  assertEquals(await brokenOf(world(), chained.account), []);
  const { missingAnchors } = await verify(world(), [...ofCut, ...ofChained]);
  assertEquals(missingAnchors.toSorted(), [ofCut[2], ...ofChained.slice(1)].sort());
});

Deno.test("A backdated entry under a later seal is named, and later seals are verified", async () => {
  const trail = await sealOne();
  const old = new Date(world().now().getTime() - 7_200_000);
  await attack(world(), entry(trail, newId(old)));
  await sealAll(world());
  await write(world(), "audit", trail.account, 2);
  await sealAll(world());
  assertEquals(await brokenOf(world(), trail.account), ["4 backdated"]);
  await attack(world(), `delete from audit_seals where ${sealOf(trail, 5)}`);
  assertEquals(await brokenOf(world(), trail.account), ["4 backdated", "5 absent"]);
});

Deno.test("A trail whose transaction counter restarted is not sealed", async () => {
  await attack(world(), "update audit_sealing set sealed_below = 9000000000000000000");
  const name = await sealTrails(world().database, world().now).then(() => "", ({ name }) => name);
  assertEquals(name, "TransactionsRestartedError");
});

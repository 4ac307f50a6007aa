// engines: postgres
/**
 * Random raw SQL transactions: after each commit, every root equals its newest revision, without
 * gaps.
 */

import { assert, assertEquals } from "@std/assert";
import { type Random, seededRandom } from "../support/random.ts";
import { asTemplate, sharedWorld } from "../support/world.ts";
import { insertInto, newRoot, revisionOf, type Row, updateRoot } from "./rows.ts";

const world = sharedWorld();

const TRANSACTIONS = 200;
const RECORDS = 12;

/** Violations of invariants, one per row. */
const VIOLATIONS = `
  select 'root differs' as violation, r.record_id
    from records r left join record_revisions v using (owner_id, record_id, revision)
   where (v.revision_id, v.module_code, v.title, v.summary, v.payload::text, v.created_at)
           is distinct from
         (r.revision_id, r.module_code, r.title, r.summary, r.payload::text, r.updated_at)
      or v.archived_at is distinct from r.archived_at
  union all
  select 'ledger ahead or gap', r.record_id
    from records r join record_revisions v using (owner_id, record_id)
   group by r.owner_id, r.record_id, r.revision
  having (count(*), min(v.revision), max(v.revision)) is distinct from (r.revision, 1, r.revision)
  union all
  select 'ledger without root', v.record_id
    from record_revisions v left join records r using (owner_id, record_id)
   where r.record_id is null or r.module_code <> v.module_code`;

/** Draws steps, most of them wrong. */
class Attacker {
  readonly #random: Random;
  readonly #owners: readonly string[];
  readonly #records: readonly string[];
  #savepoints = 0;

  constructor(random: Random, owners: readonly string[]) {
    this.#random = random;
    this.#owners = owners;
    this.#records = Array.from({ length: RECORDS }, () => random.ulid());
  }

  /** One to eight statements, possibly in a valid order. */
  transaction(): string[] {
    const statements = Array.from({ length: this.#random.integer(0, 4) }, () => this.statement());
    if (this.#random.chance(0.7)) statements.push(...this.step());
    return this.#random.chance(0.5) ? statements : statements.reverse();
  }

  /** Valid if the record is in the expected state. */
  step(): string[] {
    const revision = this.#random.integer(1, 4);
    const next = this.state(revision);
    const root = revision === 1 || this.#random.chance(0.2)
      ? insertInto("records", next)
      : updateRoot({ ...next, revision: 0, revision_id: "", title: "" }, next);
    const ledger = insertInto("record_revisions", revisionOf(next, this.difference()));
    return this.#random.chance(0.5) ? [root, ledger] : [ledger, root];
  }

  statement(): string {
    const { pick, integer } = this.#random;
    const state = this.state(integer(0, 5));
    switch (integer(0, 6)) {
      case 0:
        return insertInto("records", state);
      case 1:
        return updateRoot({ ...state, revision: 0, title: "" }, state);
      case 2:
        return insertInto("record_revisions", revisionOf(state, this.difference()));
      case 3:
        return `update records set revision = revision + 1 where record_id = '${state.record_id}'`;
      case 4:
        return `set constraints all ${pick(["immediate", "deferred"])}`;
      case 5:
        return `savepoint s${++this.#savepoints}`;
      default:
        return `rollback to savepoint s${this.#savepoints}`;
    }
  }

  state(revision: number): Row {
    const { pick, ulid } = this.#random;
    return {
      ...newRoot(pick(this.#owners)),
      record_id: pick(this.#records),
      module_code: this.#random.chance(0.9) ? "commitment" : "health",
      revision,
      revision_id: ulid(),
      title: pick(["One", "Two"]),
    };
  }

  difference(): Row {
    return this.#random.chance(0.7) ? {} : this.#random.pick<Row>([
      { title: "Forged" },
      { revision: this.#random.integer(0, 5) },
      { module_code: "health" },
      { archived_at: "2026-11-20T12:00:00.000Z" },
      { payload: `{"content":"forged"}` },
    ]);
  }
}

/** Uses savepoints, so that other statements survive an error. */
async function attack(statements: readonly string[], all: boolean): Promise<boolean> {
  try {
    await world().database.transaction(async (tx) => {
      for (const statement of statements) {
        await tx.sql`savepoint before`;
        await tx.sql(asTemplate(statement)).catch(async (error) => {
          if (all) throw error;
          await tx.sql`rollback to savepoint before`;
        });
      }
    });
    return true;
  } catch {
    return false;
  }
}

Deno.test("No raw SQL transaction separates a root from its ledger or leaves a gap", async () => {
  const seed = 20261120;
  const random = seededRandom(seed);
  const callers = [await world().createCaller(), await world().createCaller()];
  const attacker = new Attacker(random, callers.map((caller) => caller.accountId));
  let committed = 0;
  for (let round = 0; round < TRANSACTIONS; round++) {
    const statements = attacker.transaction();
    if (await attack(statements, random.chance(0.2))) committed++;
    const violations = await world().rows(VIOLATIONS);
    assertEquals([...violations], [], `seed ${seed}, round ${round}:\n${statements.join("\n")}`);
  }
  const [{ deepest }] = await world().rows(
    "select coalesce(max(revision), 0) as deepest from records",
  );
  // Some attacks commit.
  assert(committed > TRANSACTIONS / 10 && deepest >= 3, `${committed} committed, ${deepest} deep`);
});

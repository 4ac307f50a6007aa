/** A write of the family that breaks off between any two of its statements leaves nothing behind. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { Database } from "../../src/database/database.ts";
import type { Query, Sql, SqlValue } from "../../src/database/sql.ts";
import { proofOf } from "../support/tokens.ts";
import {
  createWorld,
  type Person,
  personOf,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { writingInTransactions } from "../support/single_writes.ts";
import { DRAFTS, EXPORTS, MEMORY, memoryExample, TEXTS } from "./memory.ts";

/** A transaction that fails at its n-th step. */
interface FaultyDatabase {
  readonly database: Database;
  /** Breaks off before the n-th statement, or behind the last of them and before COMMIT. */
  breakAt(step: number): void;
  /** Whether it broke off. */
  readonly broke: boolean;
}

function faultyDatabase(real: Database): FaultyDatabase {
  let left = Infinity;
  let broke = false;
  const breakOff = (): never => {
    left = Infinity;
    broke = true;
    throw new Error("The process ended here");
  };
  const step = () => {
    if (--left === 0) breakOff();
  };
  const stepping = (sql: Sql): Sql =>
  <Row extends object>(
    strings: TemplateStringsArray,
    ...values: readonly (SqlValue | Query<object>)[]
  ) => {
    const query = sql<Row>(strings, ...values);
    const { then } = query;
    // A query that is awaited is a statement; the others became parts of one. The transaction itself awaits
    // it as well, once it is sent.
    query.then = (...handlers) => {
      query.then = then;
      try {
        step();
      } catch (error) {
        return Promise.reject(error).then(...handlers) as ReturnType<typeof then<never, never>>;
      }
      return then.apply(query, handlers) as ReturnType<typeof then<never, never>>;
    };
    return query;
  };
  const database = writingInTransactions({
    ...real,
    transaction: (use) =>
      real.transaction((tx) =>
        use({
          ...tx,
          sql: stepping(tx.sql),
          async commitWith(statement) {
            step();
            const between = left === 1;
            // From here on the statement is no step of its own.
            left = Infinity;
            if (!between) return await tx.commitWith(statement);
            await statement;
            return breakOff();
          },
        })
      ),
  });
  return {
    database,
    breakAt: (steps) => {
      left = steps;
      broke = false;
    },
    get broke() {
      return broke;
    },
  };
}

/** What all tables that a write of the family touches hold, as one digest. */
async function contents(world: World): Promise<string> {
  const tables = [
    ...["memories", "memory_revisions", "memory_slices", "memory_drafts", "records"],
    ...["record_revisions", "executions", "step_up_proofs", "audit_entries"],
    "idempotency_envelopes",
  ];
  const rows = await world.rows(
    tables.map((table) =>
      `select '${table}' as name, md5(string_agg(row::text, ' ' order by row::text)) as digest
         from ${table} row`
    ).join(" union all ") + " order by name",
  );
  return JSON.stringify([...rows]);
}

const TEXT = `${TEXTS}/:memoryId`;
const NEXT = { expectedRevision: 2 };

/** Every write of the family on its example. */
const WRITES: Readonly<Record<string, JsonObject>> = {
  [`POST ${TEXTS}`]: MEMORY,
  [`POST ${TEXT}/archive`]: {},
  [`POST ${TEXT}/revisions`]: { ...NEXT, title: "B" },
  [`POST ${TEXT}/ai-draft`]: { ...NEXT, aiDraft: "B", provider: "p" },
  [`POST ${TEXT}/ai-draft/adopt`]: { ...NEXT, confirm: true },
  [`POST ${TEXT}/ai-draft/reject`]: NEXT,
  [`POST ${TEXT}/time`]: { ...NEXT, timePrecision: "UNKNOWN" },
  [`POST ${TEXT}/privacy`]: { ...NEXT, privacyLevel: "NORMAL" },
  [`POST ${TEXT}/slices`]: { label: "B" },
  [`POST ${TEXT}/slices/:sliceId/recover`]: NEXT,
  [`PUT ${DRAFTS}/:draftId`]: { draftVersion: 2, content: { title: "B" } },
  [`POST ${DRAFTS}/:draftId/commit`]: {},
  [`POST ${DRAFTS}/:draftId/discard`]: {},
  [`POST ${EXPORTS}`]: { format: "JSON", includeSecret: true },
};

for (const [route, body] of Object.entries(WRITES)) {
  Deno.test(`${route} leaves nothing wherever it breaks off, and succeeds when sent again`, async () => {
    await using world = await createWorld();
    const faulty = faultyDatabase(world.database);
    const identity = await world.person();
    const person: Person = personOf(world.again({ database: faulty.database }), identity);
    const values = await memoryExample(person);
    if (route.endsWith("/recover")) {
      const change = { expectedRevision: 2, title: "Changed" };
      const path = `${TEXTS}/${values.memoryId}/revisions`;
      await person.call("POST", path, { key: ulid(), body: change });
    }
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replaceAll(/:(\w+)/g, (_, name) => values[name] ?? "");
    const purpose = route.includes("export") ? "MEMORY_SECRET_EXPORT" : "MEMORY_PRIVACY_DOWNGRADE";
    const headers = await proofOf(world, identity, purpose);
    const sent = route.endsWith("/recover") ? { expectedRevision: 3 } : body;
    const send = (): Promise<TestResponse> =>
      person.call(method, path, { key: "the-key", body: sent, headers });

    let breaks = 0;
    for (let broke = true; broke;) {
      const before = await contents(world);
      faulty.breakAt(breaks + 1);
      const response = await send();
      broke = faulty.broke;
      if (broke) breaks++;
      assertEquals(response.status < 300, !broke, response.text);
      const after = await contents(world);
      if (broke) assertEquals(after, before, `${breaks}`);
      else assertNotEquals(after, before);
    }
    // Before its statement, and between statement and COMMIT.
    assert(breaks >= 2, `${breaks}`);
  });
}

// engines: postgres
/** Statements per write about a person. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { patch } from "../families/decision/api.ts";
import { post } from "../families/memory/api.ts";
import {
  CONTACT,
  control,
  createPerson,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  PEOPLE,
  PERSON,
  personPath,
} from "../families/relationship/api.ts";
import { callerOf, sharedWorld, type TestResponse } from "../support/world.ts";
import { countStatements } from "./sent_statements.ts";

const world = sharedWorld();

Deno.test("A write about a person is one writing statement, except controls of entries", async () => {
  const { database, sent } = countStatements(world().database);
  const caller = callerOf(world().again({ database }), await world().createCaller());
  const known = await createPerson(caller);
  const entry = await evidence(caller, known);
  const append = (below: string, body: JsonObject) => () =>
    post(caller, personPath(known, below), body);
  const next = (expectedRevision: number) => ({ expectedRevision });
  const writes: readonly (readonly [() => Promise<TestResponse>, number, number])[] = [
    [() => post(caller, PEOPLE, { ...PERSON, lastContactAt: "2026-01-01T00:00:00Z" }), 1, 0],
    [() => patch(caller, personPath(known), { ...next(1), set: { importance: 1 } }), 1, 0],
    [append("/contacts", CONTACT), 1, 0],
    [append("/experiences", EXPERIENCE), 1, 0],
    [append("/evidence", EVIDENCE), 1, 0],
    [append("/status", { ...next(3), status: "PAUSED" }), 1, 0],
    [append("/archive", next(4)), 1, 0],
    [append("/restore", next(5)), 1, 0],
    // An entry's state is read after locking the person.
    [() => control(caller, entry, { kind: "RETRACTED" }), 0, 1],
  ];
  for (const [index, [write, statements, transactions]] of writes.entries()) {
    const before = { ...sent };
    const response = await write();
    assert(response.status < 300, response.text);
    assertEquals(
      [sent.writes - before.writes, sent.transactions - before.transactions],
      [statements, transactions],
      `write ${index}`,
    );
  }
});

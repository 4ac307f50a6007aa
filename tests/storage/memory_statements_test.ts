// engines: postgres
/** Statements per memory write. */

import { assert, assertEquals } from "@std/assert";
import { post, remember, textPath } from "../families/memory/api.ts";
import { callerOf, sharedWorld } from "../support/world.ts";
import { countStatements } from "./sent_statements.ts";

const world = sharedWorld();

Deno.test("A change of a memory is one writing statement, without BEGIN", async () => {
  const { database, sent } = countStatements(world().database);
  const caller = callerOf(world().again({ database }), await world().createCaller());
  const memory = await remember(caller);
  const changes: [string, Record<string, unknown>][] = [
    ["/revisions", { expectedRevision: 1, title: "Another" }],
    ["/time", { expectedRevision: 2, timePrecision: "UNKNOWN" }],
    ["/ai-draft", { expectedRevision: 3, aiDraft: "A draft", provider: "A provider" }],
    ["/ai-draft/adopt", { expectedRevision: 4, confirm: true }],
    ["/privacy", { expectedRevision: 5, privacyLevel: "SECRET" }],
    ["/archive", {}],
    ["/restore", {}],
    ["/slices", { label: "A label" }],
  ];
  for (const [path, body] of changes) {
    const { writes, transactions } = sent;
    const response = await post(caller, textPath(memory, path), body as never);
    assert(response.status < 300, response.text);
    // The first change to SECRET shows SECRET content, and so writes an access event.
    const expected = path === "/privacy" ? [2, 0] : [1, 0];
    assertEquals([sent.writes - writes, sent.transactions - transactions], expected, path);
  }
});

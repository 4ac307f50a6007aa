/** How often the writes of a memory go to the database. */

import { assert, assertEquals } from "@std/assert";
import { post, remember, textPath } from "../http/memory.ts";
import { personOf, sharedWorld } from "../support/world.ts";
import { countStatements } from "./sent_statements.ts";

const world = sharedWorld();

Deno.test("A change of a memory is one writing statement, without BEGIN", async () => {
  const { database, sent } = countStatements(world().database);
  const person = personOf(world().again({ database }), await world().person());
  const memory = await remember(person);
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
    const response = await post(person, textPath(memory, path), body as never);
    assert(response.status < 300, response.text);
    assertEquals([sent.writes - writes, sent.transactions - transactions], [1, 0], path);
  }
});

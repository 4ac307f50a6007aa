// engines: postgres

import { assert, assertEquals } from "@std/assert";
import { DEMO_PEOPLE as SAMPLES } from "../../src/operator/seed/demo/samples.ts";
import { walkPages } from "../http/kernel.ts";
import { PEOPLE, personPath } from "../families/relationship/api.ts";
import type { Json } from "../support/world.ts";
import { demoLife } from "./demo_life.ts";

Deno.test("Sample life has people of every status, with entries of every ledger", async () => {
  const { caller } = await demoLife();
  const people: Json[] = (await walkPages(caller, PEOPLE)).flat();
  assertEquals(
    people.map(({ personName }) => personName).sort(),
    SAMPLES.map(({ name }) => name).sort(),
  );
  assertEquals(
    [...new Set(people.map(({ status }) => status))].sort(),
    ["ACTIVE", "ARCHIVED", "PAUSED", "SEALED"],
  );
  const all = async (below: string): Promise<Json[]> =>
    (await Promise.all(people.map((known) => walkPages(caller, personPath(known, below))))).flat(2);
  const details = await all("/details");
  assertEquals(
    new Set(details.map(({ kind }) => kind)),
    new Set(["PHONE", "EMAIL", "ADDRESS", "ORGANIZATION", "DATE"]),
  );
  const contacts = await all("/contacts");
  assertEquals([...new Set(contacts.map(({ state }) => state))].sort(), ["LIVE", "RETRACTED"]);
  assert((await all("/experiences")).some(({ privacy }) => privacy === "SECRET"));
  const evidence = await all("/evidence");
  assertEquals([...new Set(evidence.map(({ state }) => state))].sort(), ["LIVE", "SUPERSEDED"]);
  assert(evidence.some(({ sourceRef }) => sourceRef !== null));
  assert((await all("/status/history")).some(({ reason }) => reason !== null));
  assert((await all("/timeline")).length > contacts.length);
  const [evaluation, ...others] = await all("/evaluations");
  assertEquals([evaluation.provider, evaluation.text, others.length], [
    "local-summary",
    "Of the evidence kept, 1 entry supports and 1 entry counters what is thought of this person.",
    0,
  ]);
  const proposals = await all("/proposals");
  assertEquals(proposals.map(({ state, providerConsent }) => [state, providerConsent]), [
    ["CONFIRMED", false],
  ]);
  for (const known of people) {
    const live = contacts.filter(({ personId, state }) =>
      personId === known.personId && state === "LIVE"
    );
    const newest = live.map(({ contactedAt }) => contactedAt).sort().at(-1) ?? null;
    assertEquals(known.lastContactAt, newest, known.personName);
  }
  // Generic reads of a person.
  const records = (await walkPages(caller, "/api/v2/records/relationship", { archived: "include" }))
    .flat();
  assertEquals(records.map(({ sourceType }) => sourceType), people.map(() => "USER_INPUT"));
});

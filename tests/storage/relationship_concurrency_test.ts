// engines: postgres
/** Concurrent status and entries of a person, past the application. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { insertOwned, newRow } from "./family_rows.ts";
import { begin, waitForBlocked } from "./held.ts";
import {
  evidenceOf,
  experienceOf,
  insertEvidence,
  insertExperience,
  moveTo,
  PEOPLE,
  recordContact,
} from "../families/relationship/rows.ts";
import { refusal } from "./rows.ts";
import { type ServerDatabase, serverTest } from "./server.ts";

const STATUS = "PRS02 person_status_allows";

/** Statements for a seal and for entries without root changes. */
async function setScene(server: ServerDatabase) {
  const database = server.open(4);
  const raw = (script: string) => database.transaction((tx) => tx.script(script));
  const person = newRow(PEOPLE, ulid());
  await raw(insertOwned(PEOPLE, person));
  return {
    person,
    seal: moveTo(person, "SEALED").script,
    entries: [insertExperience(experienceOf(person)), insertEvidence(evidenceOf(person))],
    hold: (script: string) => begin(database, (tx) => tx.script(script)),
    send: (script: string) => refusal({ raw }, script),
  };
}

serverTest("An entry waits for its person's seal, and is rejected by it", async (server) => {
  for (const index of [0, 1]) {
    const { seal, entries, hold, send } = await setScene(server);
    const holder = await hold(seal);
    const entering = send(entries[index] ?? "");
    await waitForBlocked(server, 1);
    await holder.commit();
    assertEquals(await entering, STATUS);
  }
});

serverTest("A seal waits for the entries of its person, which then exist", async (server) => {
  for (const index of [0, 1]) {
    const { seal, entries, hold, send } = await setScene(server);
    const holder = await hold(entries[index] ?? "");
    const sealing = send(seal);
    await waitForBlocked(server, 1);
    await holder.commit();
    assertEquals(await sealing, null);
  }
});

serverTest("A contact that loses to its person's seal is rejected by it", async (server) => {
  const { person, seal, hold, send } = await setScene(server);
  const holder = await hold(seal);
  const recording = send(recordContact(person).script);
  await waitForBlocked(server, 1);
  await holder.commit();
  // Both made the same revision: its projection is rejected first.
  assertEquals((await recording)?.slice(0, 5), "23505");
});

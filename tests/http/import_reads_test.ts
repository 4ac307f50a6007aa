/** A plan reveals neither rows that its credential may not read nor SECRET details. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { makeToken } from "../support/tokens.ts";
import { zip } from "../support/zip.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import {
  act,
  imported,
  IMPORTS,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  settled,
} from "./imports.ts";

const world = sharedWorld();

function card(name: string, phone: string): string {
  return ["BEGIN:VCARD", "VERSION:3.0", `FN:${name}`, `TEL:${phone}`, "END:VCARD", ""].join("\r\n");
}

async function personWith(caller: Caller, phone: string, privacy: string): Promise<string> {
  const post = async (path: string, body: Json) => {
    const { status, body: sent } = await caller.call("POST", path, { key: ulid(), body });
    assertEquals(status, 201, JSON.stringify(sent));
    return sent.data;
  };
  const people = "/api/v2/relationship/people";
  const { personId } = await post(people, {
    personName: "Ana",
    relationshipType: "FRIEND",
    importance: 3,
  });
  const detail = { kind: "PHONE", value: { value: phone }, privacy };
  const { detailId } = await post(`${people}/${personId}/details`, detail);
  return `${people}/${personId}/details/${detailId}`;
}

async function tokenOf(caller: Caller, ...permissions: readonly string[]): Promise<Caller> {
  const all = ["import.write", ...permissions];
  const { token } = await makeToken(world(), caller, { permissions: all });
  return callerOf(world().app, { ...caller, secret: token });
}

/** The plan and the only item of a file, as an importer sees them. */
async function seen(caller: Caller, format: string, bytes: string | Uint8Array) {
  const { importId, ...plan } = await planned(caller, format, bytes, { name: "n" });
  const [{ outcome, rules, matches }] = await itemsOf(caller, importId);
  assertEquals((await act(caller, importId, "discard")).status, 200);
  return { ...plan, outcome, rules, matches };
}

Deno.test("SECRET details are never compared, also if they became SECRET later", async () => {
  const caller = await world().createCaller();
  await personWith(caller, "+49 30 1234567", "SECRET");
  const path = await personWith(caller, "+49 30 7654321", "PRIVATE");
  const look = async (phone: string) => {
    const { outcome, matches } = await seen(caller, "vcard", card("Ben", phone));
    return [outcome, matches.length];
  };
  assertEquals(await look("+49 30 1234567"), ["NEW", 0]);
  assertEquals(await look("+49 30 7654321"), ["POSSIBLE_DUPLICATE", 1]);
  const { status, text } = await caller.call("POST", `${path}/control`, {
    key: ulid(),
    body: { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" },
  });
  assertEquals(status, 200, text);
  assertEquals(await look("+49 30 7654321"), ["NEW", 0]);
});

Deno.test("People are compared, and matches shown, only with relationship.ledger.read", async () => {
  const owner = await world().createCaller();
  await personWith(owner, "+49 30 1234567", "PRIVATE");
  const file = card("Ben", "+49 30 1234567") + card("Carl", "+49 30 1234567");
  const blind = await tokenOf(owner, "relationship.person.write", "relationship.ledger.write");
  const reader = await tokenOf(owner, "relationship.ledger.read");
  const { outcome, matches, counts } = await seen(blind, "vcard", file);
  assertEquals([outcome, matches, counts.person.new], ["NEW", [], 2]);
  const read = await seen(reader, "vcard", file);
  assertEquals([read.outcome, read.matches.length], ["POSSIBLE_DUPLICATE", 1]);
  // A plan of the owner, read by the token, and planned again by it.
  const { importId } = await planned(owner, "vcard", file);
  const shown = await itemsOf(blind, importId);
  assertEquals(shown.map((item: Json) => item.matches), [[], []]);
  assertEquals((await itemsOf(owner, importId))[0].matches.length, 1);
  const mapping = await blind.call("PUT", `${IMPORTS}/${importId}/mapping`, { body: {} });
  assertEquals(mapping.status, 200, mapping.text);
  const again = await settled(blind, importId);
  assertEquals(again.counts.person.possibleDuplicate, 0);
  // The run does not compare more than its plan either.
  assertEquals((await act(blind, importId, "run", { plan: again.plan })).status, 202);
  assertEquals((await settled(blind, importId)).counts.person.new, 2);
  assertEquals((await itemsOf(owner, importId)).map((item: Json) => item.matches), [[], []]);
});

Deno.test("Tags and files that are there are new to a plan that may not read them", async () => {
  const owner = await world().createCaller();
  const make = async (name: string) => {
    const created = await owner.call("POST", "/api/v2/taxonomy/tags", {
      key: ulid(),
      body: { name },
    });
    return created.body.data;
  };
  await make("Here");
  const { termId, revision } = await make("Old");
  await owner.call("POST", `/api/v2/taxonomy/tags/${termId}/deactivate`, {
    key: ulid(),
    body: { expectedRevision: revision },
  });
  const withFile = zip([
    { name: "items.jsonl", content: itemsFile([memoryItem("f", { attachments: ["x.txt"] })], "f") },
    { name: "x.txt", content: "X" },
  ]);
  await imported(owner, "prs-items", withFile);
  const tag = itemsFile([{ key: "t", target: "tag", title: "Here", payload: {} }]);
  const tagged = itemsFile([memoryItem("a", { tags: ["Old"] })]);
  const again = zip([
    { name: "items.jsonl", content: itemsFile([memoryItem("g", { attachments: ["y.txt"] })], "g") },
    { name: "y.txt", content: "X" },
  ]);
  const told = async (caller: Caller) => {
    const joined = await seen(caller, "prs-items", tag);
    const inactive = await seen(caller, "prs-items", tagged);
    const { attachments } = await seen(caller, "prs-items", again);
    return [joined.outcome, joined.rules, inactive.rules, attachments];
  };
  const blind = await tokenOf(owner, "memory.write", "taxonomy.write", "attachment.write");
  assertEquals(await told(blind), ["NEW", [], [], { new: 1, unchanged: 0, missing: 0 }]);
  const known = ["UNCHANGED", ["tag.joined"], ["tag.inactive"], {
    new: 0,
    unchanged: 1,
    missing: 0,
  }];
  assertEquals(await told(owner), known);
  assertEquals(await told(await tokenOf(owner, "taxonomy.read", "attachment.read")), known);
  // The run reuses the existing tag.
  const plan = await planned(blind, "prs-items", tag);
  await act(blind, plan.importId, "run", { plan: plan.plan });
  assertEquals((await settled(blind, plan.importId)).counts.tag.unchanged, 1);
});

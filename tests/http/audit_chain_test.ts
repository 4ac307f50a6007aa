/** Seals with their entries, recomputed by a reader. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { leafHash, MerkleTree } from "../../src/audit/merkle.ts";
import { sealDigest } from "../../src/audit/seal.ts";
import { TRAIL_KINDS } from "../../src/audit/trail.ts";
import { canonicalJson } from "../../src/validate/canonical.ts";
import { attack, digestsOf, newEntry, sealAll, write } from "../storage/audit_trail.ts";
import { insertInto } from "../storage/rows.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { assertInvalid } from "./kernel.ts";
import { read } from "../families/memory/api.ts";

const world = fileWorld();

const CHAIN = "/api/v2/audit/chain";

/** Reads every page. */
async function linksOf(caller: Caller, kind: string, from = 1): Promise<Json[]> {
  const links: Json[] = [];
  let next: number | null = from;
  while (next !== null) {
    const part: Json = await read(caller, `${CHAIN}?kind=${kind}&from=${next}`);
    links.push(...part.items);
    next = part.next;
  }
  return links;
}

function rootOf(accountId: string, entries: readonly Json[]): string {
  const tree = new MerkleTree();
  for (const entry of entries) tree.add(leafHash(canonicalJson({ accountId, entry })));
  return Buffer.from(tree.root()).toString("hex");
}

Deno.test("The chain has everything to recompute every seal, from any number on", async () => {
  for (const kind of TRAIL_KINDS) {
    const caller = await world().createCaller();
    for (const count of [2, 1, 3]) {
      await write(world(), kind, caller.accountId, count);
      await sealAll(world());
    }
    const links = await linksOf(caller, kind);
    const digests = await digestsOf(world(), kind, caller.accountId);
    assertEquals(links.map(({ seal }) => seal.digest), digests);
    for (const { seal: { digest, ...seal }, entries } of links) {
      assertEquals(entries.length, seal.entries);
      assertEquals(rootOf(caller.accountId, entries), seal.root);
      assertEquals(sealDigest(seal), digest);
    }
    assertEquals(await linksOf(caller, kind, 2), links.slice(1));
    assertEquals(await read(caller, `${CHAIN}?kind=${kind}&from=9`), { items: [], next: null });
    const stranger = await world().createCaller();
    assertEquals(await linksOf(stranger, kind), []);
  }
});

Deno.test("A page of the chain ends after 100 seals, or after 1,000 entries", async () => {
  const many = await world().createCaller();
  for (let index = 0; index < 102; index++) {
    await write(world(), "audit", many.accountId, 1);
    await sealAll(world());
  }
  const first = await read(many, CHAIN);
  assertEquals([first.items.length, first.next], [100, 101]);
  assertEquals((await linksOf(many, "audit")).map(({ seal }) => seal.number).at(-1), 102);

  const large = await world().createCaller();
  const rows = () =>
    Array.from(
      { length: 600 },
      () => insertInto("audit_entries", newEntry(world(), "audit", large.accountId)),
    ).join("");
  for (let index = 0; index < 3; index++) {
    world().advance(60_000);
    await world().raw(rows());
    await sealAll(world());
  }
  const part = await read(large, CHAIN);
  assertEquals([part.items.length, part.next], [2, 3]);
  assertEquals((await linksOf(large, "audit")).length, 3);
});

Deno.test("A late entry comes with the seal that covers it", async () => {
  const caller = await world().createCaller();
  const [early = ""] = await write(world(), "audit", caller.accountId, 1);
  const late = newEntry(world(), "audit", caller.accountId, {
    audit_id: `${early.slice(0, 10)}${"0".repeat(16)}`,
  });
  await sealAll(world());
  await world().raw(insertInto("audit_entries", late));
  await sealAll(world());
  const links = await linksOf(caller, "audit");
  assertEquals(links.map(({ entries }) => entries.map(({ auditId }: Json) => auditId)), [
    [early],
    [late.audit_id],
  ]);
  for (const { seal, entries } of links) {
    assertEquals(rootOf(caller.accountId, entries), seal.root);
  }
});

Deno.test("A forged entry makes the chain invalid", async () => {
  const caller = await world().createCaller();
  const [id] = await write(world(), "audit", caller.accountId, 1);
  await sealAll(world());
  const forge = async (change: string) => {
    await attack(world(), `update audit_entries set ${change} where audit_id = '${id}'`);
    const [link] = await linksOf(caller, "audit");
    assert(rootOf(caller.accountId, link.entries) !== link.seal.root, change);
  };
  await forge("operation = 'record.read'");
  await forge("created_at = 'infinity'");
});

Deno.test("An invalid number or kind is rejected", async () => {
  const caller = await world().createCaller();
  for (const from of ["0", "-1", "x", "2147483648"]) {
    const response = await caller.call("GET", `${CHAIN}?from=${from}`);
    assertEquals(response.status, 400, from);
  }
  assertInvalid(await caller.call("GET", `${CHAIN}?kind=other`), ["field.option"], ["kind"]);
});

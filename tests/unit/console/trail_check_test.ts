/** The console's check of the audit trail, against the service's seals. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { inclusionPath, leafHash, MerkleTree } from "../../../src/audit/merkle.ts";
import { sealed } from "../../../src/audit/seal.ts";
import { canonicalJson } from "../../../src/validate/canonical.ts";
import {
  canonical,
  isIncluded,
  rootOf,
  sealDigest,
  TrailCheck,
} from "../../../src/console/web/core/trail_check.js";
import { happenings } from "../../../src/console/web/core/background/happenings.js";
import type { TrailSummary } from "../../../src/audit/summary.ts";
import type { Json } from "../../support/world.ts";

const ACCOUNT = "01KAGQ0000ACC0000000000001";
const AT = "2026-11-20T12:00:00.000Z";

function entryOf(number: number, operation = "record.create"): Json {
  return {
    auditId: `${number}`,
    operation,
    moduleCode: null,
    title: 'ä"\n\u2028',
    revision: number,
  };
}

function rootOfService(entries: readonly Json[]): string {
  const tree = new MerkleTree();
  for (const entry of entries) tree.add(leafHash(canonicalJson({ accountId: ACCOUNT, entry })));
  return Buffer.from(tree.root()).toString("hex");
}

/** As the service answers. */
function chainOf(counts: readonly number[], change = (entries: Json[]) => entries): Json[] {
  const links: Json[] = [];
  let made = 0;
  for (const [index, count] of counts.entries()) {
    const entries = change(Array.from({ length: count }, () => entryOf(++made)));
    const seal = sealed({
      accountId: ACCOUNT,
      kind: "audit",
      sealId: `${index}`,
      number: index + 1,
      entries: count,
      firstId: "a",
      lastId: "b",
      root: rootOfService(entries),
      previous: links.at(-1)?.seal.digest ?? null,
      createdAt: AT,
    });
    links.push({ seal, entries });
  }
  return links;
}

/** Returns the fault and the head to store. */
async function check(links: readonly Json[], kept: Json = null, isWhole = true): Promise<Json> {
  const trail = new TrailCheck(ACCOUNT, "audit", kept, isWhole);
  for (const link of links) {
    const fault = await trail.add(link);
    if (fault !== null) return { fault, head: null };
  }
  return { fault: trail.end(), head: trail.head(AT), entries: trail.entries };
}

async function headOf(counts: readonly number[]): Promise<Json> {
  return (await check(chainOf(counts))).head;
}

Deno.test("The console computes roots and digests as the service does", async () => {
  for (
    const value of [null, 1, "ü\ud83d\ude00\u007f", [1, { b: [], a: "x" }], { B: 1, a: 2, Z: {} }]
  ) {
    assertEquals(canonical(value), canonicalJson(value));
  }
  for (const count of [1, 2, 3, 4, 5, 7, 8, 9, 31, 100]) {
    const [{ seal, entries }] = chainOf([count]);
    assertEquals(await rootOf(ACCOUNT, entries), seal.root, `${count}`);
    assertEquals(await sealDigest(seal), seal.digest);
  }
});

Deno.test("A trail that only grew is valid, as a whole and from the stored seal", async () => {
  const [kept, links] = [await headOf([3, 2]), chainOf([3, 2, 4, 1])];
  assertEquals([kept.number, kept.entries], [2, 5]);
  assertEquals(await check(links, kept), {
    fault: null,
    head: await headOf([3, 2, 4, 1]),
    entries: 10,
  });
  const part = await check(links.slice(1), kept, false);
  assertEquals([part.fault, part.head, part.entries], [null, await headOf([3, 2, 4, 1]), 7]);
  const same = await check(links.slice(1, 2), kept, false);
  assertEquals([same.fault, same.head], [null, kept]);
  assertEquals(await check([]), { fault: null, head: null, entries: 0 });
});

Deno.test("A rewritten and resealed trail differs from the stored seal", async () => {
  const kept = await headOf([3, 2]);
  const forged = chainOf(
    [3, 2, 4],
    (entries) => entries.map((entry) => entry.auditId === "2" ? entryOf(2, "record.read") : entry),
  );
  for (const links of [forged, forged.slice(1)]) {
    const { fault, head } = await check(links, kept, links === forged);
    assertEquals(fault, { why: "replaced", number: 2, digest: forged[1].seal.digest });
    assertEquals(head, null);
  }
  assertEquals((await check(forged)).fault, null);
});

Deno.test("A truncated trail is shorter than the stored one", async () => {
  const kept = await headOf([3, 2, 1]);
  const { fault } = await check(chainOf([3, 2]), kept);
  assertEquals(fault, { why: "shorter", number: 3, digest: null });
  assertEquals((await check([], kept, false)).fault.why, "shorter");
});

Deno.test("A changed, removed or added entry does not fit its seal", async () => {
  const kept = await headOf([3, 2]);
  const attacks: ((entries: Json[]) => Json[])[] = [
    ([first, ...others]) => [{ ...first, operation: "record.read" }, ...others],
    ([, ...others]) => others,
    (entries) => [...entries, entryOf(99)],
    ([first, second, third]) => [second, first, third],
    ([first, ...others]) => [first, first, ...others.slice(1)],
  ];
  for (const attack of attacks) {
    const links = chainOf([3, 3]);
    links[1].entries = attack(links[1].entries);
    const { fault } = await check(links);
    assertEquals([fault.why, fault.number], ["entries", 2]);
  }
  const links = chainOf([3, 2]);
  links[0].entries = [];
  assertEquals((await check(links, kept)).fault.number, 1);
});

Deno.test("A missing, altered or foreign seal breaks the chain", async () => {
  const attacks: ((links: Json[]) => Json[])[] = [
    (links) => links.toSpliced(1, 1),
    (links) =>
      links.with(1, {
        ...links[1],
        seal: { ...links[1].seal, createdAt: "2026-11-21T12:00:00.000Z" },
      }),
    (links) => links.with(1, chainOf([2, 2])[1]),
    (links) => links.slice(1),
    (links) => links.map((link) => ({ ...link, seal: { ...link.seal, kind: "access" } })),
  ];
  for (const attack of attacks) {
    assertEquals((await check(attack(chainOf([1, 2, 3])))).fault.why, "chain");
  }
});

const SUMMARY: TrailSummary = {
  since: AT,
  until: AT,
  events: [],
  newSources: 0,
  exports: 0,
  isWhole: true,
};

function told(summary: Partial<TrailSummary>): string[] {
  return happenings({ ...SUMMARY, ...summary }).map(({ name, count, isNotable }) =>
    `${name} ${count}${isNotable ? "" : " quiet"}`
  );
}

Deno.test("Events are counted by their meaning to the owner", () => {
  const event = (
    event: TrailSummary["events"][number]["event"],
    count: number,
    kind: Json = null,
  ) => ({
    event,
    count,
    credentialKind: kind,
  });
  assertEquals(told({}), []);
  assertEquals(told({ newSources: 2, exports: 1 }), ["newSources 2", "exports 1"]);
  assertEquals(told({ events: [event("LOGIN_FAILED", 2), event("STEP_UP_FAILED", 1)] }), [
    "wrongTries 3",
  ]);
  assertEquals(
    told({ events: [event("SECRET_READ", 2, "SESSION"), event("SECRET_READ", 5, "TOKEN")] }),
    ["tokenSecrets 5", "secretReads 2 quiet"],
  );
  assertEquals(
    told({ events: [event("ASSISTANT_CREATED", 1), event("ASSISTANT_TOKEN_REUSED", 2)] }),
    ["reusedTokens 2", "newAssistants 1"],
  );
  const asked = event("SECOND_FACTOR_REQUIRED", 2);
  assertEquals(told({ events: [asked, event("LOGIN", 2, "SESSION")] }), []);
  assertEquals(told({ events: [asked, event("LOGIN", 1, "SESSION")] }), ["withoutCode 1"]);
  assertEquals(told({ events: [event("LOGOUT", 1), event("STEP_UP", 4, "SESSION")] }), []);
});

Deno.test("The console accepts every proof of the service, and no other", async () => {
  for (let count = 1; count <= 9; count++) {
    const [{ seal, entries }] = chainOf([count]);
    const leaves = entries.map((entry: Json) =>
      leafHash(canonicalJson({ accountId: ACCOUNT, entry }))
    );
    for (const [leafIndex, entry] of entries.entries()) {
      const path = inclusionPath(leaves, leafIndex).map((hash) =>
        Buffer.from(hash).toString("hex")
      );
      const proof = { seal, leafIndex, path };
      const holds = (change: Json, changed = entry) =>
        isIncluded(ACCOUNT, changed, { ...proof, ...change });
      assertEquals(await holds({}), true, `${leafIndex} of ${count}`);
      assertEquals(await holds({}, { ...entry, operation: "record.list" }), false);
      assertEquals(await holds({ leafIndex: leafIndex + 1 }), false);
      assertEquals(await holds({ path: [...path, "00".repeat(32)] }), false);
      assertEquals(
        await holds({ seal: { ...seal, createdAt: "2026-11-20T12:00:01.000Z" } }),
        false,
      );
    }
  }
});

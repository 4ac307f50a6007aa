/** Seals and proofs of an account. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { TRAIL_KINDS, type TrailKind } from "../../src/audit/trail.ts";
import { digestsOf, sealAll, write } from "../storage/audit_trail.ts";
import { PROJECT } from "../support/server_process.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { assertFailure, assertInvalid, COMMITMENT, walkPages } from "./kernel.ts";

const world = fileWorld();

const AUDIT = "/api/v2/audit";
const SEALS = `${AUDIT}/seals`;

/** One seal per number of entries, of one kind. */
async function sealedCaller(
  kind: TrailKind,
  counts: readonly number[],
): Promise<{ readonly caller: Caller; readonly ids: readonly string[] }> {
  const caller = await world().createCaller();
  const ids: string[] = [];
  for (const count of counts) {
    ids.push(...await write(world(), kind, caller.accountId, count));
    await sealAll(world());
  }
  return { caller, ids };
}

async function proofOf(caller: Caller, kind: TrailKind, id: string): Promise<Json> {
  const response = await caller.call("GET", `${AUDIT}/${id}/proof?kind=${kind}`);
  assertEquals(response.status, 200, response.text);
  return response.body;
}

Deno.test("GET audit/seals lists the account's own seals of a kind, newest first", async () => {
  for (const kind of TRAIL_KINDS) {
    const { caller, ids } = await sealedCaller(kind, [2, 1, 3]);
    const stranger = await sealedCaller(kind, [1]);
    const query: Record<string, string> = kind === "audit" ? {} : { kind };
    const pages = await walkPages(caller, SEALS, { ...query, limit: "2" });
    const items = pages.flatMap((page: Json) => page.items ?? page);
    assertEquals(items.map(({ number }: Json) => number), [3, 2, 1]);
    assertEquals(items.map(({ entries }: Json) => entries), [3, 1, 2]);
    const digests = await digestsOf(world(), kind, caller.accountId);
    assertEquals(items.map(({ digest }: Json) => digest).reverse(), digests);
    assertEquals(items.map(({ previous }: Json) => previous), [digests[1], digests[0], null]);
    const [newest] = items;
    assertEquals([newest.firstId, newest.lastId], [ids[3], ids[5]]);
    assertEquals([newest.accountId, newest.kind], [caller.accountId, kind]);
    const text = JSON.stringify(items);
    assertEquals(text.includes(stranger.caller.accountId), false);
    const [theirs] = (await stranger.caller.call("GET", `${SEALS}?kind=${kind}`)).body.data.items;
    for (const cursor of [ulid(), theirs.sealId]) {
      assertInvalid(
        await caller.call("GET", `${SEALS}?kind=${kind}&cursor=${cursor}`),
        ["cursor.unknown"],
        ["cursor"],
      );
    }
  }
});

Deno.test("GET proof shows an entry that waits for a seal, and 404 for a missing one", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  await caller.create("commitment", COMMITMENT);
  const [entry] = (await caller.call("GET", AUDIT)).body.data.items;
  const proof = await proofOf(caller, "audit", entry.auditId);
  assertEquals(proof.data, { entry, inclusion: null });
  await sealAll(world());
  assertEquals((await proofOf(caller, "audit", entry.auditId)).data.inclusion.leafIndex, 0);
  const path = `${AUDIT}/${entry.auditId}/proof`;
  assertFailure(await stranger.call("GET", path), "RECORD_NOT_FOUND");
  assertFailure(await caller.call("GET", `${path}?kind=access`), "RECORD_NOT_FOUND");
  assertFailure(await caller.call("GET", `${AUDIT}/${ulid()}/proof`), "RECORD_NOT_FOUND");
});

Deno.test("A late entry is proved by the seal that covers it", async () => {
  const { caller, ids } = await sealedCaller("audit", [3, 2]);
  await world().raw(`
    insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                               operation, request_id, created_at)
    select owner_id, '${ids[0]?.slice(0, 10)}ZZZZZZZZZZZZZZZZ', actor_id, credential_kind,
           credential_id, operation, request_id, created_at
      from audit_entries where audit_id = '${ids[0]}'`);
  await sealAll(world());
  const late = `${ids[0]?.slice(0, 10)}ZZZZZZZZZZZZZZZZ`;
  const numbers = [ids[0], ids[2], ids[4], late].map(async (id) =>
    (await proofOf(caller, "audit", id ?? "")).data.inclusion.seal.number
  );
  assertEquals(await Promise.all(numbers), [1, 1, 2, 3]);
});

/** The README's check. Ignored without Python. */
async function readCheck(): Promise<string> {
  const readme = await Deno.readTextFile(`${PROJECT}/src/audit/README.md`);
  return /```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
}

const HAS_PYTHON = await hasPython();

async function hasPython(): Promise<boolean> {
  try {
    return (await new Deno.Command("python3", { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "The chapter's check accepts each proof against an anchored digest, and nothing else",
  ignore: !HAS_PYTHON,
  fn: async () => {
    const folder = await Deno.makeTempDir({ prefix: "prs-proof-" });
    try {
      await checkProofs(folder);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** Arguments, and whether the proof must be valid. */
type Case = readonly [anchor: string, files: readonly Json[], holds: boolean];

/** Runs `python3 check.py ANCHOR FILE…` for each line, in one process. */
const RUN_ALL = `
import json, runpy, sys
check, cases = sys.argv[1:]
for words in json.load(open(cases)):
    sys.argv = [check, *words]
    try: runpy.run_path(check)
    except SystemExit as end: print(int(end.code))
`;

async function checkProofs(folder: string): Promise<void> {
  const check = await readCheck();
  assert(check.trim().split("\n").length <= 25, "about twenty lines");
  await Deno.writeTextFile(`${folder}/check.py`, check);
  const cases: Case[] = [];
  for (const kind of TRAIL_KINDS) cases.push(...await casesOf(kind));
  const lines = await Promise.all(cases.map(async ([anchor, files], index) => {
    const names = files.map((_, place) => `${folder}/${index}-${place}.json`);
    for (const [place, name] of names.entries()) {
      await Deno.writeTextFile(name, JSON.stringify(files[place]));
    }
    return [anchor, ...names];
  }));
  await Deno.writeTextFile(`${folder}/cases.json`, JSON.stringify(lines));
  const args = ["-c", RUN_ALL, `${folder}/check.py`, `${folder}/cases.json`];
  const { stdout, stderr } = await new Deno.Command("python3", { args }).output();
  const [printed, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(failed, "");
  const expected = cases.map(([, , holds]) =>
    holds ? "The entry is as it was sealed\n0\n" : "The proof does not hold\n1\n"
  );
  assertEquals(printed, expected.join(""));
}

async function casesOf(kind: TrailKind): Promise<Case[]> {
  const { caller, ids } = await sealedCaller(kind, [1, 5, 2]);
  const [first = "", second = "", third = ""] = await digestsOf(world(), kind, caller.accountId);
  const seals = (await caller.call("GET", `${SEALS}?kind=${kind}`)).body;
  const proofs = await Promise.all(ids.map((id) => proofOf(caller, kind, id)));
  const anchors = [first, second, second, second, second, second, third, third];
  const proof = proofs[3];
  return [
    ...proofs.map((each, index): Case => [anchors[index] ?? "", [each], true]),
    [third, [proof], false],
    // A later seal's digest works, through the seals in between; an earlier one's never.
    [third, [proof, seals], true],
    [first, [proof, seals], false],
    ...brokenProofs(proof, proofs[4]).map((broken): Case => [second, [broken], false]),
  ];
}

/** Manipulated proofs. */
function brokenProofs(proof: Json, other: Json): Json[] {
  const { entry, inclusion } = proof.data;
  const { seal, path } = inclusion;
  const data = (changes: Json) => ({ data: { entry, inclusion, ...changes } });
  const included = (changes: Json) => data({ inclusion: { ...inclusion, ...changes } });
  return [
    data({ entry: { ...entry, requestId: "another" } }),
    data({ entry: other.data.entry }),
    included({ leafIndex: inclusion.leafIndex + 1 }),
    included({ path: path.slice(1) }),
    included({ path: [...path, path[0]] }),
    included({ path: path.toReversed() }),
    included({ seal: { ...seal, entries: seal.entries + 1 } }),
    included({ seal: { ...seal, createdAt: "2026-11-20T12:00:00.000Z" } }),
    included({ seal: { ...seal, accountId: ulid() } }),
  ];
}

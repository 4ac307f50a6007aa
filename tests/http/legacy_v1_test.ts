/** Version 1: reads; writes are closed. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Permission } from "../../src/access/permissions.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { LEGACY_MODULES } from "../../src/v1/modules.ts";
import { insertLegacyRecords, type LegacyRecord } from "../support/legacy_records.ts";
import { type Caller, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENT,
  readPage,
  walkPages,
} from "./kernel.ts";
import {
  assertDeprecated,
  keepRecords,
  LEGACY_CODES,
  readsOf,
  rootOf,
  writesOf,
} from "./legacy.ts";
import { withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

const GUARD = "relationship.ledger.secret" satisfies Permission;

/** An exported record. */
function exported({ recordId, revisions }: LegacyRecord): Json {
  return { recordId, revisions };
}

/** A record as version 1 shows it: without a member that later releases added. */
function former({ attachmentIds: _, ...record }: Json): Json {
  return record;
}

for (const code of LEGACY_CODES) {
  Deno.test(`Version 1 of ${code} shows records as the generic reads do`, async () => {
    const caller = await world().createCaller();
    const kept = await keepRecords(world(), caller, code, 12);
    await keepRecords(world(), caller, "commitment", 1);
    const [v1, v2] = [rootOf(code), `/api/v2/records/${code}`];
    for (const archived of ["exclude", "only", "include"]) {
      const pages = await walkPages(caller, v1, { archived, limit: "3" });
      const present = await walkPages(caller, v2, { archived, limit: "3" });
      assertEquals(pages, present.map((page) => page.map(former)), archived);
    }
    const page = await readPage(caller, v2);
    assertEquals(await readPage(caller, v1), { ...page, items: page.items.map(former) });
    const everything = (await walkPages(caller, v1, { archived: "include" })).flat();
    assertEquals(
      everything.map(({ recordId }) => recordId),
      kept.map(({ recordId }) => recordId)
        .toReversed(),
    );
    for (const { recordId } of kept.slice(0, 4)) {
      const [old, now] = [
        await caller.call("GET", `${v1}/${recordId}`),
        await caller.call("GET", `${v2}/${recordId}`),
      ];
      const record = JSON.stringify(former(now.body.data));
      assertEquals([old.status, old.text.split(',"meta"')[0]], [200, `{"data":${record}`]);
      assertEquals(old.headers.get("ETag"), now.headers.get("ETag"));
      assertEquals(
        await walkPages(caller, `${v1}/${recordId}/revisions`, { limit: "2" }),
        await walkPages(caller, `${v2}/${recordId}/revisions`, { limit: "2" }),
      );
    }
  });

  Deno.test(`Version 1 of ${code} exports whole records, newest first`, async () => {
    const caller = await world().createCaller();
    const path = `${rootOf(code)}/export`;
    const head = { format: `prs-legacy-${code}`, version: 1 };
    const empty = await caller.call("GET", path);
    assertEquals(empty.body.data, { ...head, records: [], nextCursor: null });
    const kept = (await keepRecords(world(), caller, code, 7)).map(exported).reverse();
    await keepRecords(world(), caller, "commitment", 1);
    const whole = await caller.call("GET", path);
    assertEquals(whole.body.data, { ...head, records: kept, nextCursor: null });
    assertEquals(Object.keys(whole.body.data), ["format", "version", "records", "nextCursor"]);
    const [{ revisions: [first] }] = whole.body.data.records;
    assertEquals(Object.keys(first), [
      "revision",
      "change",
      "title",
      "summary",
      "payload",
      "archivedAt",
      "createdAt",
    ]);
    const parts: Json[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = `limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { body } = await caller.call("GET", `${path}?${query}`);
      parts.push(body.data.records);
      cursor = body.data.nextCursor;
    }
    assertEquals(parts, [kept.slice(0, 3), kept.slice(3, 6), kept.slice(6)]);
  });

  Deno.test(`Version 1 of ${code} rejects every write with its own code`, async () => {
    const caller = await world().createCaller();
    const [record] = await keepRecords(world(), caller, code, 1);
    const { writeCode } = LEGACY_MODULES[code];
    let hasRead = false;
    const unread = () =>
      new ReadableStream({
        pull(body) {
          hasRead = true;
          body.enqueue(new Uint8Array(1024));
        },
      }, { highWaterMark: 0 });
    const sent: readonly (readonly [string, () => Parameters<Caller["call"]>[2]])[] = [
      [record?.recordId ?? "", () => ({ key: "a-key", body: { title: "A", payload: {} } })],
      [record?.recordId ?? "", () => ({ key: "a-key", body: { title: "B", payload: {} } })],
      ["not-an-id", () => ({ headers: { "Idempotency-Key": "two words" } })],
      ["not-an-id", () => ({ raw: "{{{", headers: { "Content-Type": "application/json" } })],
      [ulid(), () => ({ raw: unread(), headers: { "Content-Type": "text/plain" } })],
      [ulid(), () => ({})],
    ];
    await assertWritesNothing(world(), async () => {
      for (const [id, options] of sent) {
        for (const [name, method, path] of writesOf(code, id)) {
          for (const query of ["", "?unknown=1&unknown=2"]) {
            const operation = `legacy.${code}.${name}`;
            const response = await caller.call(method, path + query, options());
            const details = assertFailure(response, writeCode, `${method} ${path}${query}`);
            assertEquals([response.status, details], [410, { moduleCode: code, operation }]);
            assertDeprecated(response, code, operation);
          }
        }
      }
    });
    assertEquals(hasRead, false);
  });

  Deno.test(`Version 1 of ${code} requires its own permissions only`, async () => {
    const { readPermission, writePermission, writeCode } = LEGACY_MODULES[code];
    const owner = await world().createCaller();
    const [record] = await keepRecords(world(), owner, code, 1);
    const id = record?.recordId ?? "";
    const reader = await withPermissions(world(), owner, readPermission);
    const writer = await withPermissions(world(), owner, writePermission);
    const generic = await withPermissions(world(), owner, "record.read", "record.write");
    for (const path of readsOf(code, id)) {
      assertEquals((await reader.call("GET", path)).status, 200, path);
      for (const other of [writer, generic]) {
        assertFailure(await other.call("GET", path), "FORBIDDEN", path);
      }
    }
    for (const [, method, path] of writesOf(code, id)) {
      assertFailure(await writer.call(method, path), writeCode, path);
      for (const other of [reader, generic]) {
        assertFailure(await other.call(method, path), "FORBIDDEN", path);
      }
      assertFailure(await world().call(method, path), "AUTH_REQUIRED", path);
    }
  });

  Deno.test(`Version 1 of ${code} hides other owners', other modules' and missing records`, async () => {
    const [caller, other] = [await world().createCaller(), await world().createCaller()];
    const [record] = await keepRecords(world(), other, code, 1);
    const commitment = await caller.create("commitment", COMMITMENT);
    for (const id of [record?.recordId ?? "", commitment.recordId, ulid()]) {
      for (const path of readsOf(code, id).slice(2)) {
        assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND", path);
      }
    }
    assertEquals(await readPage(caller, rootOf(code), { archived: "include" }), {
      items: [],
      nextCursor: null,
    });
    const cursors = [record?.recordId ?? "", commitment.recordId, ulid()];
    for (const cursor of cursors) {
      for (const path of readsOf(code, "").slice(0, 2)) {
        const response = await caller.call("GET", `${path}?cursor=${cursor}`);
        assertInvalid(response, ["cursor.unknown"], ["cursor"], path);
      }
    }
  });
}

Deno.test("Version 1 accepts the queries of its routes, and none of version 2", async () => {
  const caller = await world().createCaller();
  const [record] = await keepRecords(world(), caller, "resource", 1);
  const [list, whole, detail = "", revisions] = readsOf("resource", record?.recordId ?? "");
  for (const query of ["sort=createdAt", "createdFrom=2020-01-01T00:00:00Z", "filter[unit]=h"]) {
    const [name = ""] = query.split("=");
    assertInvalid(await caller.call("GET", `${list}?${query}`), ["undeclared_field"], [name]);
  }
  for (const path of [whole, revisions]) {
    const response = await caller.call("GET", `${path}?archived=only`);
    assertInvalid(response, ["undeclared_field"], ["archived"]);
  }
  const revision = await caller.call("GET", `${detail}?revision=1`);
  assertInvalid(revision, ["undeclared_field"], ["revision"]);
  assertInvalid(await caller.call("GET", `${list}?archived=all`), ["field.option"], ["archived"]);
  for (const path of [list, whole, revisions]) {
    for (const limit of ["0", "101", "x"]) {
      const response = await caller.call("GET", `${path}?limit=${limit}`);
      assertFailure(response, "PAYLOAD_INVALID", `${path} ${limit}`);
    }
  }
  const wrong = await caller.call("GET", `${rootOf("resource")}/not-an-id`);
  assertInvalid(wrong, ["record_id.format"]);
});

Deno.test("A guarded record is redacted in version 1, and omitted from its export", async () => {
  const caller = await world().createCaller();
  const open = await keepRecords(world(), caller, "relationship", 3);
  const guarded = await keepRecords(world(), caller, "relationship", 3, { guard: GUARD });
  const reader = await withPermissions(world(), caller, "relationship.person.read");
  const trusted = await withPermissions(world(), caller, "relationship.person.read", GUARD);
  const path = `${rootOf("relationship")}/export`;
  const ids = (records: readonly { recordId: string }[]) =>
    records.map(({ recordId }) => recordId).sort().reverse();
  const idsOf = async (caller: Caller) =>
    (await caller.call("GET", path)).body.data.records.map(({ recordId }: Json) => recordId);
  assertEquals(await idsOf(reader), ids(open));
  assertEquals(await idsOf(trusted), ids([...open, ...guarded]));
  const hidden = { title: "", summary: "", payload: {}, redacted: true };
  for (const { recordId } of guarded) {
    const record = `${rootOf("relationship")}/${recordId}`;
    const { body } = await reader.call("GET", record);
    const { title, summary, payload, redacted } = body.data;
    assertEquals({ title, summary, payload, redacted }, hidden);
    for (const item of (await readPage(reader, `${record}/revisions`)).items) {
      assertEquals([item.title, item.payload, item.redacted], ["", {}, true]);
    }
  }
  // Lengths count only visible records, and the cursor skips the others.
  const parts: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = `limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const { body }: TestResponse = await reader.call("GET", `${path}?${query}`);
    const { data } = body;
    assert(data.records.length <= 1);
    parts.push(...data.records.map(({ recordId }: Json) => recordId));
    cursor = data.nextCursor;
  }
  assertEquals(parts, ids(open));
});

Deno.test("A part of an export ends at its size limit, but has at least one record", async () => {
  const caller = await world().createCaller();
  const biography = "ж".repeat(100_000);
  const at = world().now().getTime() - DAY_MS;
  const make = (count: number, index: number): LegacyRecord => ({
    recordId: ulid(at + index),
    revisions: Array.from({ length: count }, (_, revision) => ({
      revision: revision + 1,
      change: revision === 0 ? "CREATED" : "MODIFIED",
      title: "A",
      summary: "",
      payload: { displayName: "A", biography },
      archivedAt: null,
      createdAt: new Date(at + index).toISOString(),
    })),
  });
  // 200 KB per revision: 9 MB for the newest record, 3 MB for others.
  const records = [15, 15, 15, 45].map(make);
  await world().raw(insertLegacyRecords(caller.accountId, "identity", records));
  const lengths: number[] = [];
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = cursor === "" ? "" : `?cursor=${cursor}`;
    const { body, text } = await caller.call("GET", `${rootOf("identity")}/export${query}`);
    lengths.push(body.data.records.length);
    ids.push(...body.data.records.map(({ recordId }: Json) => recordId));
    assert(lengths.length === 1 || text.length < 8 * 1024 * 1024);
    cursor = body.data.nextCursor;
  }
  assertEquals(lengths, [1, 2, 1]);
  assertEquals(ids, records.map(({ recordId }) => recordId).reverse());
});

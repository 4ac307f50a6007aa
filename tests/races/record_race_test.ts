// engines: both
/** Concurrent requests at two processes. */

import { assert, assertEquals } from "@std/assert";
import { type Caller, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import { COMMITMENT, COMMITMENTS, pathOf, walkPages } from "../http/kernel.ts";
import { twoProcesses } from "./holding.ts";

const world = sharedWorld();

const CREATION = { title: "A title", payload: COMMITMENT };

/** Alternating between processes. */
function together(
  processes: readonly Caller[],
  count: number,
  send: (caller: Caller, index: number) => Promise<TestResponse>,
): Promise<TestResponse[]> {
  return Promise.all(
    Array.from(
      { length: count },
      (_, index) => send(processes[index % processes.length] as Caller, index),
    ),
  );
}

function withStatus(answers: readonly TestResponse[], status: number): TestResponse[] {
  return answers.filter((response) => response.status === status);
}

/** Oldest first; checks root and audit. */
async function historyOf(caller: Caller, path: string): Promise<Json[]> {
  const revisions = (await walkPages(caller, `${path}/revisions`)).flat().reverse();
  const numbers = revisions.map((item) => item.revision);
  assertEquals(numbers, revisions.map((_, index) => index + 1));
  const { data } = (await caller.call("GET", path)).body;
  const { title, summary, payload, archivedAt, revision } = revisions.at(-1);
  const root = [data.title, data.summary, data.payload, data.archivedAt, data.revision];
  assertEquals(root, [title, summary, payload, archivedAt, revision]);
  assertEquals(await auditedRevisions(data.recordId), numbers);
  return revisions;
}

/** According to the audit. */
async function auditedRevisions(recordId: string): Promise<number[]> {
  const rows = await world().rows(
    `select revision from audit_entries where subject_id = '${recordId}' order by revision`,
  );
  return rows.map(({ revision }) => revision);
}

/** 2, 3, … */
function changedRevisions(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 2);
}

function revisionsOf(answers: readonly TestResponse[]): number[] {
  return answers.map(({ body }) => body.data.revision).sort((a, b) => a - b);
}

async function auditCount(caller: Caller): Promise<number> {
  const [row] = await world().rows(
    `select count(*)::integer as count from audit_entries where owner_id = '${caller.accountId}'`,
  );
  return row.count;
}

Deno.test("Of concurrent PATCHes that expect the same revision one wins", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  for (let round = 1; round <= 5; round++) {
    const path = pathOf(await caller.create("commitment", COMMITMENT));
    const answers = await together(
      processes,
      8,
      (caller, index) =>
        caller.call("PATCH", path, { body: { title: `${index}`, expectedRevision: 1 } }),
    );
    const [won = [], lost = []] = [withStatus(answers, 200), withStatus(answers, 409)];
    assertEquals([won.length, lost.length], [1, 7], `round ${round}`);
    for (const { body } of lost) {
      assertEquals(body.error.code, "REVISION_CONFLICT");
      assertEquals(body.error.details, { expectedRevision: 1, currentRevision: 2 });
    }
    const revisions = await historyOf(caller, path);
    assertEquals(revisions.map((item) => item.title), ["A title", won[0]?.body.data.title]);
    assertEquals(await auditCount(caller), 2 * round);
  }
});

Deno.test("Concurrent PATCHes without an expected revision all succeed, one after the other", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const fields = ["notes", "counterparty"];
  const answers = await together(processes, 12, (caller, index) => {
    const payload = { [fields[index % 2] ?? ""]: `${index}` };
    return caller.call("PATCH", path, { body: { payload } });
  });
  assertEquals(withStatus(answers, 200).length, 12);
  const seen = answers.map((response) => response.body.data.revision).sort((a, b) => a - b);
  assertEquals(seen, Array.from({ length: 12 }, (_, index) => index + 2));
  const revisions = await historyOf(caller, path);
  // Each revision has its own and the former field.
  for (const response of answers) {
    const revision = revisions[response.body.data.revision - 1];
    const before = revisions[response.body.data.revision - 2];
    assertEquals(revision.payload, response.body.data.payload);
    const changed = fields.filter((name) => revision.payload[name] !== before.payload[name]);
    assertEquals(changed.length, 1);
  }
  assertEquals(await auditCount(caller), 13);
});

Deno.test("Of very many concurrent PATCHes each makes its own revision and audit entry", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const answers = await together(
    processes,
    40,
    (caller, index) => caller.call("PATCH", path, { body: { title: `${index}` } }),
  );
  assertEquals(withStatus(answers, 200).length, 40);
  assertEquals(revisionsOf(answers), changedRevisions(40));
  const revisions = await historyOf(caller, path);
  assertEquals(revisions.length, 41);
  for (const { body: { data } } of answers) {
    assertEquals(revisions[data.revision - 1].title, data.title);
  }
  assertEquals(await auditCount(caller), 41);
});

Deno.test("Concurrent PATCHes, each sent twice under its key, happen once each", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const change = (caller: Caller, index: number) =>
    caller.call("PATCH", path, { key: `key-${index}`, body: { title: `${index}` } });
  // Each key once per process.
  const answers = await together(
    processes,
    80,
    (caller, index) => change(caller, Math.floor(index / 2)),
  );
  for (const { status, body } of answers) {
    assert(status === 200 || body.error.code === "IDEMPOTENCY_IN_PROGRESS", JSON.stringify(body));
  }
  const made = withStatus(answers, 200).filter(({ headers }) =>
    !headers.has("Idempotency-Replayed")
  );
  assertEquals(revisionsOf(made), changedRevisions(40));
  const again = await together(processes, 40, change);
  assertEquals(again.filter(({ headers }) => !headers.has("Idempotency-Replayed")), []);
  assertEquals(revisionsOf(again), changedRevisions(40));
  for (const response of withStatus(answers, 200)) {
    const replayed = again[Number(response.body.data.title)];
    assertEquals(response.body.data, replayed?.body.data);
  }
  assertEquals((await historyOf(caller, path)).length, 41);
  assertEquals(await auditCount(caller), 41);
});

Deno.test("Concurrent PATCHes with an expected revision lose to those without", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  for (let round = 0; round < 3; round++) {
    const path = pathOf(await caller.create("commitment", COMMITMENT));
    const answers = await together(processes, 20, (caller, index) => {
      const expectation = index % 4 < 2 ? { expectedRevision: 1 } : {};
      return caller.call("PATCH", path, { body: { title: `${index}`, ...expectation } });
    });
    const free = answers.filter((_, index) => index % 4 >= 2);
    assertEquals(withStatus(free, 200).length, free.length);
    const expecting = answers.filter((_, index) => index % 4 < 2);
    const won = withStatus(expecting, 200);
    assert(won.length <= 1, `round ${round}: ${won.length} won`);
    for (const { body } of won) assertEquals(body.data.revision, 2);
    for (const { body } of expecting.filter((response) => !won.includes(response))) {
      assertEquals(body.error.code, "REVISION_CONFLICT");
      assert(body.error.details.currentRevision > 1);
    }
    assertEquals((await historyOf(caller, path)).length, 1 + free.length + won.length);
  }
});

Deno.test("The same creation sent at once under one key makes one record", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  for (let round = 1; round <= 5; round++) {
    const create = (caller: Caller) =>
      caller.call("POST", COMMITMENTS, { key: `round-${round}`, body: CREATION });
    const answers = await together(processes, 8, create);
    const [made, refused] = [withStatus(answers, 201), withStatus(answers, 409)];
    assertEquals(made.length + refused.length, 8);
    assertEquals(made.filter(({ headers }) => !headers.has("Idempotency-Replayed")).length, 1);
    for (const { body } of refused) assertEquals(body.error.code, "IDEMPOTENCY_IN_PROGRESS");
    const last = await create(caller);
    for (const { body } of made) assertEquals(body.data, last.body.data);
    assertEquals((await walkPages(caller, COMMITMENTS)).flat().length, round);
    assertEquals(await auditCount(caller), round);
  }
});

Deno.test("Of concurrent equal creations one succeeds: they do not all reject each other", async () => {
  const [caller, elsewhere] = await twoProcesses(world());
  for (let round = 1; round <= 30; round++) {
    const create = (caller: Caller) =>
      caller.call("POST", COMMITMENTS, { key: `busy-${round}`, body: CREATION });
    // Unequal numbers: followers must not starve the first.
    const answers = await together([caller, caller, elsewhere], 3, create);
    const [made, refused] = [withStatus(answers, 201), withStatus(answers, 409)];
    assertEquals(made.length + refused.length, 3);
    assert(made.length >= 1, `round ${round}: all were turned away`);
  }
});

Deno.test("The same change sent at once under one key makes one revision", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const change = (caller: Caller) =>
    caller.call("PATCH", path, { key: "k", body: { title: "B", expectedRevision: 1 } });
  const answers = await together(processes, 8, change);
  for (const { status, body } of answers) {
    assert(status === 200 || body.error.code === "IDEMPOTENCY_IN_PROGRESS");
  }
  assertEquals((await change(caller)).body.data.revision, 2);
  assertEquals((await historyOf(caller, path)).length, 2);
});

Deno.test("Different creations sent at once under one key make one record", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const answers = await together(
    processes,
    8,
    (caller, index) =>
      caller.call("POST", COMMITMENTS, { key: "k", body: { ...CREATION, title: `${index}` } }),
  );
  assertEquals(withStatus(answers, 201).length, 1);
  for (const { body } of withStatus(answers, 409)) {
    assert(["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"].includes(body.error.code));
  }
  assertEquals((await walkPages(caller, COMMITMENTS)).flat().length, 1);
});

Deno.test("Concurrent archivals make one revision and all return the archived record", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const answers = await together(processes, 8, (caller) => caller.call("POST", `${path}/archive`));
  const [first] = answers;
  for (const response of answers) assertEquals(response.body.data, first?.body.data);
  const changes = (await historyOf(caller, path)).map((item) => item.change);
  assertEquals(changes, ["CREATED", "ARCHIVED"]);
});

Deno.test("A concurrent archival and changes keep both", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const answers = await together(
    processes,
    9,
    (caller, index) =>
      index % 3 === 0
        ? caller.call("POST", `${path}/archive`)
        : caller.call("PATCH", path, { body: { title: `${index}` } }),
  );
  assertEquals(withStatus(answers, 200).length, 9);
  const changes = (await historyOf(caller, path)).map((item) => item.change);
  assertEquals(changes.toSorted(), ["ARCHIVED", "CREATED", ...Array(6).fill("MODIFIED")]);
  assert((await caller.call("GET", path)).body.data.archivedAt !== null);
});

Deno.test("Concurrent archivals, restorations and changes each start from the one before", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const path = pathOf(await caller.create("commitment", COMMITMENT));
  const answers = await together(processes, 30, (caller, index) => {
    const key = `mixed-${index}`;
    if (index % 3 === 0) return caller.call("POST", `${path}/archive`, { key });
    if (index % 3 === 1) return caller.call("POST", `${path}/restore`, { key });
    return caller.call("PATCH", path, { key, body: { title: `${index}` } });
  });
  assertEquals(withStatus(answers, 200).length, 30);
  const revisions = await historyOf(caller, path);
  for (const [index, { change, archivedAt }] of revisions.entries()) {
    const before = revisions[index - 1]?.archivedAt ?? null;
    if (change === "ARCHIVED") assertEquals([before, archivedAt !== null], [null, true]);
    else if (change === "RESTORED") assertEquals([before !== null, archivedAt], [true, null]);
    else assertEquals(archivedAt, before);
  }
  const changed = revisions.filter(({ change }) => change === "MODIFIED");
  const titles = changed.map(({ title }) => Number(title)).sort((a, b) => a - b);
  assertEquals(titles, Array.from({ length: 10 }, (_, index) => 3 * index + 2));
});

Deno.test("Of an archival and a change that expect the same revision one wins", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  for (let round = 0; round < 5; round++) {
    const path = pathOf(await caller.create("commitment", COMMITMENT));
    const answers = await together(
      processes,
      2,
      (caller, index) =>
        (index + round) % 2 === 0
          ? caller.call("POST", `${path}/archive`, { body: { expectedRevision: 1 } })
          : caller.call("PATCH", path, { body: { title: "B", expectedRevision: 1 } }),
    );
    assertEquals(answers.map(({ status }) => status).sort(), [200, 409], `round ${round}`);
    assertEquals((await historyOf(caller, path)).length, 2);
  }
});

Deno.test("Concurrently created records all exist, each once", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  const answers = await together(
    processes,
    30,
    (caller, index) => caller.call("POST", COMMITMENTS, { key: `${index}`, body: CREATION }),
  );
  const ids = answers.map((response) => response.body.data.recordId).sort();
  const listed = (await walkPages(caller, COMMITMENTS, { sort: "createdAt", limit: "7" })).flat();
  assertEquals(listed.map((item) => item.recordId), ids);
  assertEquals(new Set(ids).size, 30);
});

Deno.test("A finished creation sent again at both processes is replayed by both", async () => {
  const processes = await twoProcesses(world());
  const [caller] = processes;
  for (let round = 1; round <= 10; round++) {
    const create = (caller: Caller) =>
      caller.call("POST", COMMITMENTS, { key: `finished-${round}`, body: CREATION });
    const first = await create(caller);
    for (const again of await together(processes, 2, create)) {
      assertEquals([again.status, again.body.data], [201, first.body.data], `round ${round}`);
    }
  }
});

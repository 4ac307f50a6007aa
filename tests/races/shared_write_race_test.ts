/** Writes of an account that wait for another one share a statement, each with its own answer. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ServiceError } from "../../src/errors/service_error.ts";
import { COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { DAMAGE, UNDAMAGED } from "../support/damage.ts";
import {
  callerOf,
  createWorld,
  fileWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { BEARERS, BODY, knownWriter, type Writer } from "./known_writer.ts";

const LIMIT = 40_000;
const world = fileWorld({ accountStorageBytes: LIMIT });

type Send = (writer: Writer) => Promise<TestResponse>;

const created = (title: string, content = "Call"): Send => ({ bearer }) =>
  bearer.call("POST", COMMITMENTS, {
    key: ulid(),
    body: { title, payload: { ...COMMITMENT, content } },
  });

const again: Send = ({ bearer }) => bearer.call("POST", COMMITMENTS, { key: "first", body: BODY });

const changed =
  (path: string, body: { title: string; expectedRevision?: number }): Send => ({ bearer }) =>
    bearer.call("PATCH", path, { key: ulid(), body });

/** Sends the others while a write is held; returns their answers. */
async function sendTogether(
  writer: Writer,
  sent: readonly Send[],
  first: Send = created("Held"),
): Promise<readonly TestResponse[]> {
  const { reached, letGo } = writer.holdNext();
  const held = first(writer);
  await reached;
  const answers = sent.map((send) => send(writer));
  // They reach the queue before the first one is answered.
  await new Promise((resolve) => setTimeout(resolve, 50));
  letGo();
  await held;
  return await Promise.all(answers);
}

const outcomes = (answers: readonly TestResponse[]) =>
  answers.map(({ status, body }) => status < 300 ? status : body.error.code);

/** Each revision has one audit entry and one envelope; those of memories have other names. */
async function assertWhole({ rows }: World): Promise<void> {
  const [memories] = await rows(
    "select count(*)::int as audits from record_revisions where module_code = 'memory'",
  );
  assertEquals(await rows(DAMAGE), [{ ...UNDAMAGED[0], ...memories }]);
}

Deno.test("Creations that wait share a statement, and each is complete", async () => {
  const writer = await knownWriter(world());
  const titles = ["One", "Two", "Three", "Four", "Five", "Six", "Seven"];
  const answers = await sendTogether(writer, titles.map((title) => created(title)));
  assertEquals(outcomes(answers), titles.map(() => 201));
  assert(writer.counts.writes < titles.length);
  assertEquals(answers.map(({ body }) => body.data.title), titles);
  for (const { body: { data } } of answers) {
    assertEquals((await writer.bearer.call("GET", pathOf(data))).body.data, data);
    const found = await writer.bearer.call("POST", "/api/v2/search", {
      body: { q: data.title },
    });
    assertEquals(found.body.data.items.length, 1, found.text);
  }
  await assertWhole(world());
});

Deno.test("A replay, a reused key and new keys each get their own verdict", async () => {
  const writer = await knownWriter(world());
  const reused: Send = ({ bearer }) =>
    bearer.call("POST", COMMITMENTS, { key: "first", body: { ...BODY, title: "Other" } });
  const replay = await sendTogether(writer, [created("New"), again, created("Newer")]);
  assertEquals(outcomes(replay), [201, 201, 201]);
  assertEquals(replay[1]?.body.data, writer.record);
  assertEquals(replay[1]?.headers.get("Idempotency-Replayed"), "true");
  const answers = await sendTogether(writer, [created("Newest"), reused]);
  assertEquals(outcomes(answers), [201, "IDEMPOTENCY_KEY_REUSED"]);
  await assertWhole(world());
});

Deno.test("If one fills the account, it alone is refused", async () => {
  const writer = await knownWriter(world());
  const answers = await sendTogether(writer, [
    created("Small"),
    created("Large", "x".repeat(LIMIT)),
    created("Smaller"),
  ]);
  assertEquals(outcomes(answers), [201, "ACCOUNT_STORAGE_FULL", 201]);
  await assertWhole(world());
});

Deno.test("If one violates a constraint, it alone fails", async () => {
  await using own = await createWorld();
  await own.raw("alter table records add constraint good check (title <> 'Bad') not valid");
  const writer = await knownWriter(own);
  const answers = await sendTogether(writer, ["Good", "Bad", "Better"].map((it) => created(it)));
  assertEquals(answers.map(({ status }) => status), [201, 500, 201]);
  await assertWhole(own);
});

Deno.test("What refuses an account's writes refuses each of them, but no replay", async () => {
  await using own = await createWorld();
  const writer = await knownWriter(own);
  const { caller: { accountId, sessionId } } = writer;
  const sent = [created("One"), again, created("Two")];
  const before = await own.rows("select count(*) from records");
  await own.raw(`update accounts set frozen_at = now() where account_id = '${accountId}'`);
  const [closed, open] = ["SYSTEM_MAINTENANCE", 201];
  assertEquals(outcomes(await sendTogether(writer, sent)), [closed, open, closed]);
  await own.raw(`update accounts set frozen_at = null where account_id = '${accountId}'`);
  await own.raw("update maintenance_window set active = true");
  assertEquals(outcomes(await sendTogether(writer, sent)), [closed, closed, closed]);
  await own.raw("update maintenance_window set active = false");
  await own.raw(`update sessions set revoked_at = now() where session_id = '${sessionId}'`);
  const ended = await sendTogether(writer, sent);
  assertEquals(ended.map(({ status }) => status), [401, 401, 401]);
  assertEquals(await own.rows("select count(*) from records"), before);
});

Deno.test("Changes that wait share a statement; two of one record follow each other", async () => {
  const writer = await knownWriter(world());
  const made = await Promise.all(["One", "Two"].map((title) => created(title)(writer)));
  const [one = "", two = ""] = made.map(({ body }) => pathOf(body.data));
  const answers = await sendTogether(writer, [
    changed(one, { title: "Changed" }),
    changed(one, { title: "Changed again" }),
    changed(two, { title: "Changed", expectedRevision: 1 }),
    changed(two, { title: "Changed again", expectedRevision: 1 }),
  ], changed(pathOf(writer.record), { title: "Held" }));
  assertEquals(outcomes(answers).sort(), [200, 200, 200, "REVISION_CONFLICT"]);
  const revisions = await Promise.all(
    [one, two].map(async (path) => (await writer.bearer.call("GET", path)).body.data.revision),
  );
  assertEquals(revisions, [3, 2]);
  await assertWhole(world());
});

Deno.test("What may have been written is not sent again", async () => {
  const { database } = world();
  let writes = 0;
  const where = {
    ...world(),
    database: {
      ...database,
      async write<Row>(statement: Parameters<typeof database.write<Row>>[0]) {
        const rows = await database.write(statement);
        if (++writes > 2) throw new ServiceError("HTTP_503");
        return rows;
      },
    },
  };
  const writer = await knownWriter(where);
  writes = 2;
  const titles = ["One", "Two", "Three", "Four"];
  const answers = await sendTogether(writer, titles.map((title) => created(title)));
  assertEquals(outcomes(answers), titles.map(() => "HTTP_503"));
  // Fewer than the held one and each alone.
  assert(writes < 2 + 1 + titles.length);
  await assertWhole(world());
});

Deno.test("Another account's write does not wait for them", async () => {
  const writer = await knownWriter(world());
  const other = await world().createCaller();
  const { reached, letGo } = writer.holdNext();
  const held = created("Held")(writer);
  await reached;
  const waiting = created("Waiting")(writer);
  assert(await other.create("commitment", COMMITMENT));
  const token = await BEARERS.token?.(world(), writer.app, writer.caller);
  assert(await token?.create("commitment", COMMITMENT));
  letGo();
  assertEquals(outcomes(await Promise.all([held, waiting])), [201, 201]);
});

Deno.test("Writes of other accounts and credentials that wait are each their own's", async () => {
  const writer = await knownWriter(world());
  const other = callerOf(writer.app, await world().createCaller());
  const token = await BEARERS.token?.(world(), writer.app, writer.caller);
  assert(token !== undefined);
  const { accountId } = writer.caller;
  const bearers = { own: writer.bearer, other, token };
  const by = (name: keyof typeof bearers): Send => (held) =>
    created(name)({ ...held, bearer: bearers[name] });
  for (const send of [by("other"), by("token")]) await send(writer);
  const mixed = ["own", "own", "other", "token", "own", "other"] as const;
  const answers = await sendTogether(writer, mixed.map(by));
  assertEquals(outcomes(answers), mixed.map(() => 201));
  for (const [place, { body: { data } }] of answers.entries()) {
    const name = mixed[place] ?? "own";
    assertEquals((await bearers[name].call("GET", pathOf(data))).body.data, data, name);
  }
  await world().raw(`update tokens set revoked_at = now() where account_id = '${accountId}'`);
  const afterwards = await sendTogether(writer, mixed.map(by));
  assertEquals(
    afterwards.map(({ status }) => status),
    mixed.map((name) => name === "token" ? 401 : 201),
  );
  await assertWhole(world());
});

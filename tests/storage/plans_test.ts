// engines: postgres
/** Plans of lists and the credential look-up: all use an index, none scans or sorts a big table. */

import { assert, assertEquals } from "@std/assert";
import { FILTERED_PAGE_BUDGET } from "../../src/database/walk.ts";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  type CallOptions,
  createWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { assertWalks, examinedRows, nodesOf, plansOf } from "./plans.ts";
import { createRecordingDatabase, type RecordingDatabase } from "./recording.ts";

const RECORDS = "/api/v2/records/commitment";

/** Enough rows to make a full scan more expensive than a walk. */
interface Crowd {
  readonly world: World;
  readonly recording: RecordingDatabase;
  readonly caller: Caller;
}

const crowd = sharedCrowd();

function sharedCrowd(): () => Crowd {
  let opened: Crowd | undefined;
  Deno.test.beforeAll(async () => {
    opened = await openCrowd();
  });
  Deno.test.afterAll(async () => {
    await opened?.world[Symbol.asyncDispose]();
  });
  return () => {
    if (opened === undefined) throw new Error("The crowd is there only while its tests run");
    return opened;
  };
}

async function openCrowd(): Promise<Crowd> {
  const world = await createWorld();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  await world.raw(`
    ${recordsOf(caller, "commitment", 3 * FILTERED_PAGE_BUDGET)}
    ${recordsOf(caller, "health", 3_000)}
    ${recordsOf(other, "commitment", 3_000)}
    ${longHistoryOf(caller, 2_000)}
    ${attachmentsOf(caller, 3_000)}
    ${attachmentsOf(other, 3_000)}
    ${trailsOf(caller, 3 * FILTERED_PAGE_BUDGET)}
    ${trailsOf(other, 3_000)}
    ${STRANGERS}
    ${credentialsOf(caller, 3_000)}
    analyze`);
  const recording = createRecordingDatabase(world.database);
  const app = world.again({ database: recording.database });
  return { world, recording, caller: callerOf(app, caller) };
}

/** Every third archived. */
function recordsOf({ accountId }: Caller, module: string, count: number): string {
  const shard = module === "commitment" ? "A" : "B";
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, archived_at, title, summary, payload)
      select '${accountId}', '01K${shard}' || lpad(i::text, 22, '0'), '${module}', 1,
             '01M${shard}' || lpad(i::text, 22, '0'), 'SEED', now(), now(), now(),
             case when i % 3 = 0 then now() end, i::text, '',
             json_build_object('counterparty', case when i % 1000 = 0 then 'Ada' else 'Bob' end)
        from generate_series(1, ${count}) i;
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, archived_at, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, archived_at, updated_at
        from records where owner_id = '${accountId}' and module_code = '${module}';`;
}

const BUSY_RECORD = "01KZ" + "0".repeat(22);

/** A record with many revisions, and an execution of each. */
function longHistoryOf({ accountId }: Caller, count: number): string {
  return `
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      values ('${accountId}', '${BUSY_RECORD}', 'commitment', ${count},
              '01MZ' || lpad('${count}', 22, '0'), 'SEED', now(), now(), now(), '', '', '{}');
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select '${accountId}', '${BUSY_RECORD}', 'commitment', i, '01MZ' || lpad(i::text, 22, '0'),
             case i when 1 then 'CREATED' else 'MODIFIED' end, '', '', '{}', now()
        from generate_series(1, ${count}) i;
    insert into executions (owner_id, execution_id, record_id, module_code, feature_id, strategy,
                            revision, status, output, created_at)
      select '${accountId}', '01NZ' || lpad(i::text, 22, '0'), '${BUSY_RECORD}', 'commitment',
             'CMT-001', 'record', i, 'SUCCEEDED', '{}', now()
        from generate_series(1, ${count}) i;`;
}

function attachmentsOf({ accountId }: Caller, count: number): string {
  return `
    insert into attachments (owner_id, attachment_id, size, sha256, media_type, filename, created_at)
      select '${accountId}', '01PZ' || lpad(i::text, 22, '0'), 1, decode(repeat('ab', 32), 'hex'),
             'text/plain', 'a.txt', now()
        from generate_series(1, ${count}) i;`;
}

function trailsOf({ accountId }: Caller, count: number): string {
  return `
    insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                               operation, module_code, subject_id, revision, request_id, created_at)
      select '${accountId}', '01RZ' || lpad(i::text, 22, '0'), '${accountId}', 'SESSION',
             '${accountId}', case when i % 1000 = 0 then 'record.archive' else 'record.modify' end,
             'commitment', '${BUSY_RECORD}', i, 'request', now()
        from generate_series(1, ${count}) i;
    insert into access_events (account_id, event_id, event, request_id, created_at)
      select '${accountId}', '01SZ' || lpad(i::text, 22, '0'), 'LOGIN', 'request', now()
        from generate_series(1, ${count}) i;`;
}

/** With an open session each. */
const STRANGERS = `
  insert into accounts (account_id, email, email_key, display_name, password_hash, created_at)
    select '01QZ' || lpad(i::text, 22, '0'), 'a@b', i::text, 'Stranger', 'none', now()
      from generate_series(1, 3000) i;
  insert into sessions (account_id, session_id, secret_digest, transport, device_name, created_at,
                        last_seen_at, expires_at)
    select account_id, account_id, decode(repeat(md5(account_id), 2), 'hex'), 'bearer', 'Stranger',
           now(), now(), now() + interval '30 days'
      from accounts where display_name = 'Stranger';`;

/** Every second revoked. */
function credentialsOf({ accountId }: Caller, count: number): string {
  const numbered = `from (
    select '01TZ' || lpad(i::text, 22, '0') as id, sha256(i::text::bytea) as digest,
           case when i % 2 = 0 then now() end as revoked_at
      from generate_series(1, ${count}) i) numbered`;
  return `
    insert into sessions (account_id, session_id, secret_digest, transport, created_at, last_seen_at,
                          expires_at, revoked_at)
      select '${accountId}', id, digest, 'bearer', now(), now(), now() + interval '30 days',
             revoked_at ${numbered};
    insert into tokens (account_id, token_id, name, secret_digest, created_at, expires_at, revoked_at)
      select '${accountId}', id, 'A token', digest, now(), now() + interval '30 days', revoked_at
             ${numbered};
    insert into tokens (account_id, token_id, name, secret_digest, created_at, expires_at)
      select account_id, account_id, 'A token', secret_digest, now(), now() + interval '30 days'
        from sessions where device_name = 'Stranger';`;
}

/** Must succeed, with index walks only; returns the response. */
async function assertRequestWalks(
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  const { world, recording, caller } = crowd();
  const answers: TestResponse[] = [];
  const sent = await recording.during(async () => {
    answers.push(await caller.call("GET", path, options));
  });
  const [response] = answers;
  assert(response?.status === 200, `${path}: ${response?.text}`);
  assert(sent.length > 0, path);
  for (const statement of sent) {
    for (const plan of await plansOf(world, statement)) assertWalks(plan, statement.text);
  }
  return response;
}

const ORDERS = ["createdAt", "-createdAt", "updatedAt", "-updatedAt"];
const ARCHIVALS = ["exclude", "only", "include"];

/** A cursor in the middle of this order. */
function middleOf(order: string): string {
  return `01${order.endsWith("createdAt") ? "KA" : "MA"}${"7000".padStart(22, "0")}`;
}

for (const order of ORDERS) {
  for (const archived of ARCHIVALS) {
    const list = `${RECORDS}?sort=${order}&archived=${archived}`;
    Deno.test(`GET list in order ${order}, archived ${archived}, uses an index`, async () => {
      const pages = ["", `&limit=100&cursor=${middleOf(order)}`];
      const filters = ["", "&filter[counterparty]=Ada"];
      const ranges = ["", "&createdFrom=2020-01-01T00:00:00Z&updatedTo=2030-01-01T00:00:00Z"];
      for (const page of pages) {
        for (const filter of filters) {
          for (const range of ranges) {
            const { body } = await assertRequestWalks(list + page + filter + range);
            assert(body.data.items.length > 0, "The list found nothing");
          }
        }
      }
    });
  }
}

for (const [history, cursors] of [["revisions", "01MZ"], ["executions", "01NZ"]]) {
  Deno.test(`GET ${history} uses an index`, async () => {
    const path = `${RECORDS}/${BUSY_RECORD}/${history}`;
    await assertRequestWalks(path);
    await assertRequestWalks(`${path}?limit=100&cursor=${cursors}${"1000".padStart(22, "0")}`);
  });
}

Deno.test("GET attachments uses an index", async () => {
  await assertRequestWalks("/api/v2/attachments");
  const cursor = `01PZ${"1000".padStart(22, "0")}`;
  await assertRequestWalks(`/api/v2/attachments?limit=100&cursor=${cursor}`);
});

Deno.test("GET attachments by ids examines these alone", async () => {
  const { world, recording, caller } = crowd();
  const ids = Array.from(
    { length: 100 },
    (_, index) => `01PZ${String(index + 1).padStart(22, "0")}`,
  );
  const sent = await recording.during(async () => {
    const { body } = await caller.call("GET", `/api/v2/attachments?ids=${ids}`);
    assertEquals(body.data.items.length, 100);
  });
  const statement = sent.find(({ text }) => text.includes("attachment_thumbnails"));
  assert(statement !== undefined);
  assertEquals(await examinedRows(world, statement, "attachments"), 100);
});

for (const [kind, cursors] of [["audit", "01RZ"], ["access", "01SZ"]]) {
  const filters = kind === "audit"
    ? ["", "&operation=record.archive", "&moduleCode=health", `&subjectId=${BUSY_RECORD}`]
    : [""];
  Deno.test(`GET audit with kind=${kind} uses an index`, async () => {
    for (const filter of filters) {
      const path = `/api/v2/audit?kind=${kind}${filter}`;
      await assertRequestWalks(path);
      const cursor = `${cursors}${"7000".padStart(22, "0")}`;
      await assertRequestWalks(`${path}&limit=100&cursor=${cursor}`);
    }
  });
}

Deno.test("GET changes uses an index, to its end and with skipped rows", async () => {
  const { caller, world } = crowd();
  const { token } = await makeToken(world, caller, { permissions: ["changes.read"] });
  for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
    const { body: { data } } = await assertRequestWalks("/api/v2/changes", { headers });
    const examined = Object.keys(headers).length === 0 ? 50 : 0;
    assertEquals([data.items.length, data.hasMore], [examined, true]);
    const after = encodeURIComponent(data.nextCursor);
    await assertRequestWalks(`/api/v2/changes?limit=100&after=${after}`, { headers });
  }
});

Deno.test("GET record finds a record and its revision by key", async () => {
  await assertRequestWalks(`${RECORDS}/${BUSY_RECORD}`);
  await assertRequestWalks(`${RECORDS}/${BUSY_RECORD}?revision=1000`);
});

for (const kind of ["sessions", "tokens"]) {
  Deno.test(`GET ${kind} uses an index`, async () => {
    await assertRequestWalks(`/api/v2/auth/${kind}`);
    const cursor = `01TZ${"1000".padStart(22, "0")}`;
    await assertRequestWalks(`/api/v2/auth/${kind}?limit=100&cursor=${cursor}`);
  });
}

Deno.test("GET attachment and GET token find one by key", async () => {
  await assertRequestWalks(`/api/v2/attachments/01PZ${"7".padStart(22, "0")}`);
  await assertRequestWalks(`/api/v2/auth/tokens/01TZ${"7".padStart(22, "0")}`);
});

/** By kind of credential. */
const CREDENTIALS = { session: "session_digest_unique", token: "token_digest_unique" };

for (const [kind, index] of Object.entries(CREDENTIALS)) {
  Deno.test(`A ${kind} is found by the index of its digest`, async () => {
    const { world, recording, caller } = crowd();
    const secret = kind === "token" ? (await makeToken(world, caller)).token : caller.secret;
    const headers = { Authorization: `Bearer ${secret}` };
    const [statement] = await recording.during(async () => {
      const { status } = await caller.call("GET", "/api/v2/auth/session", { headers });
      assert(status === 200);
    });
    assert(statement !== undefined);
    for (const plan of await plansOf(world, statement)) {
      assertWalks(plan, statement.text);
      const indexes = nodesOf(plan).map((node) => node["Index Name"]);
      assert(indexes.includes(index), indexes.join(", "));
    }
  });
}

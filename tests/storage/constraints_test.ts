// engines: postgres
/** Every constraint rejects its offences. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, sharedWorld } from "../support/world.ts";
import { ASSISTANT_OFFENCES } from "./assistant_rows.ts";
import { AUTHORIZATION_OFFENCES } from "./authorization_rows.ts";
import { CALENDAR_FEED_OFFENCES } from "./calendar_feed_rows.ts";
import { DECISION_OFFENCES } from "../families/decision/rows.ts";
import { revisionOffences } from "./family_rows.ts";
import { EVALUATION_OFFENCES } from "../families/relationship/evaluation_rows.ts";
import { IMPORT_OFFENCES } from "./import_rows.ts";
import { IDENTITY_OFFENCES } from "../families/identity/rows.ts";
import { MEMORY_OFFENCES } from "../families/memory/rows.ts";
import { RELATIONSHIP_OFFENCES } from "../families/relationship/offences.ts";
import { RESOURCE_OFFENCES } from "../families/resource/rows.ts";
import { ROOT_KINDS } from "./root_kinds.ts";
import { PASSKEY_OFFENCES } from "./passkey_rows.ts";
import { SECOND_FACTOR_OFFENCES } from "./second_factor_rows.ts";
import { TAXONOMY_OFFENCES } from "../families/taxonomy/rows.ts";
import {
  AT,
  insertInto,
  insertRecord,
  literal,
  newAccount,
  newRoot,
  newThumbnail,
  nextRoot,
  type Offences,
  refusal,
  revisionOf,
  type Row,
  updateRoot,
} from "./rows.ts";

const world = sharedWorld();

const DIGEST = "\\x" + "ab".repeat(32);
const SHORT_DIGEST = "\\x" + "ab".repeat(31);
const OTHER_DIGEST = "\\x" + "cd".repeat(32);
/** Two UTF-16 units, four bytes. */
const ROCKET = "🚀";

function account(columns: Row): string {
  return insertInto("accounts", newAccount(columns));
}

function session(caller: Caller, columns: Row): string {
  const own = { account_id: caller.accountId, session_id: ulid(), secret_digest: DIGEST };
  const times = { created_at: AT, last_seen_at: AT, expires_at: AT };
  return insertInto("sessions", { ...own, transport: "cookie", ...times, ...columns });
}

function attempt(columns: Row): string {
  const row = { attempt_id: ulid(), subject: DIGEST, address: DIGEST, attempted_at: AT };
  return insertInto("access_attempts", { ...row, ...columns });
}

function attachment(caller: Caller, columns: Row): string {
  const own = { owner_id: caller.accountId, attachment_id: ulid(), size: 1, sha256: DIGEST };
  const names = { media_type: "text/plain", filename: "a.txt", created_at: AT };
  return insertInto("attachments", { ...own, ...names, ...columns });
}

function chunk(caller: Caller, columns: Row): string {
  const own = { owner_id: caller.accountId, upload_id: ulid(), number: 0, bytes: "\\x00" };
  return insertInto("attachment_chunks", { ...own, ...columns });
}

function thumbnail(caller: Caller, columns: Row): string {
  return insertInto("attachment_thumbnails", newThumbnail(caller, columns));
}

function accountExport(caller: Caller, columns: Row): string {
  const { accountId: owner_id, sessionId: session_id } = caller;
  const own = { owner_id, export_id: ulid(), session_id, size: 1, sha256: DIGEST, counts: "{}" };
  const names = { filename: "a.jsonl", media_type: "application/jsonl" };
  const times = { created_at: AT, expires_at: "2099-01-01T00:00:00Z" };
  return insertInto("account_exports", { ...own, ...names, ...times, ...columns });
}

const ULID = ulid();

/** The first of a chain. */
function seal(caller: Caller, columns: Row): string {
  const own = { account_id: caller.accountId, kind: "audit", number: 1, seal_id: ulid() };
  const entries = { entries: 1, first_id: ULID, last_id: ULID, through_id: ULID };
  const digests = { root: DIGEST, digest: DIGEST };
  return insertInto("audit_seals", { ...own, ...entries, ...digests, created_at: AT, ...columns });
}

/** The single row about scheduled backups. */
function scheduled(columns: Row): string {
  const set = Object.entries(columns).map(([name, value]) => `${name} = ${literal(value)}`);
  return `update scheduled_backups set ${set.join()};`;
}

function execution(root: Row, columns: Row): string {
  const { owner_id, record_id, module_code, revision } = root;
  const own = { owner_id, record_id, module_code, revision } as Row;
  const rest = { feature_id: "CMT-001", strategy: "record", status: "SUCCEEDED", output: "{}" };
  return insertInto("executions", {
    ...own,
    execution_id: ulid(),
    ...rest,
    created_at: AT,
    ...columns,
  });
}

function step(root: Row, columns: Row): string {
  const next = nextRoot(root, { title: "Next" });
  return insertInto("record_revisions", revisionOf(next, columns)) + updateRoot(root, next);
}

const WRONG_MODULE_CODES = ["", "Health", "1st", "ai_agent", "x".repeat(41), "health\n", "hëalth"];

function root(caller: Caller, columns: Row): string {
  return insertRecord(newRoot(caller.accountId, columns));
}

function certificate({ accountId }: Caller, values: Row): string {
  return insertInto("erasure_certificates", {
    account_id: accountId,
    certificate_id: ulid(),
    reason: "LAW",
    certificate: "{}",
    created_at: AT,
    ...values,
  });
}

const OFFENCES: Readonly<Record<string, Offences>> = {
  // Accounts and sessions
  account_display_name_length: () =>
    ["", ROCKET.repeat(201)].map((name) => account({ display_name: name })),
  account_email_length: () => ["a@", "a".repeat(255)].map((email) => account({ email })),
  account_moved_is_frozen: () => [account({ moved_to: "https://two.example" })],
  account_moved_to_length: () => [
    account({ frozen_at: AT, moved_to: "" }),
    account({ frozen_at: AT, moved_to: "x".repeat(2_049) }),
  ],
  account_retired_has_moved: () => [account({ frozen_at: AT, retired_at: AT })],
  account_role_known: () => [account({ role: "owner" }), account({ role: "" })],
  account_email_unique: () => [
    account({ email_key: "same@example.org" }) + account({ email_key: "same@example.org" }),
  ],
  session_of_account: (caller) => [session(caller, { account_id: ulid() })],
  session_device_name_length: (caller) => [session(caller, { device_name: "x".repeat(201) })],
  session_digest_length: (caller) => [session(caller, { secret_digest: SHORT_DIGEST })],
  session_digest_unique: (caller) => [session(caller, {}) + session(caller, {})],
  session_transport_known: (caller) => [session(caller, { transport: "COOKIE" })],
  setup_token_digest_length: () => [
    insertInto("setup_token", { secret_digest: SHORT_DIGEST, expires_at: AT }),
  ],
  setup_token_single: () => [
    insertInto("setup_token", { singleton: false, secret_digest: DIGEST, expires_at: AT }),
  ],
  server_secret_check_single: () => [
    insertInto("server_secret_check", { singleton: false, check_value: DIGEST }),
  ],
  audit_sealing_single: () => [insertInto("audit_sealing", { singleton: false })],
  audit_seal_kind_known: (caller) => [seal(caller, { kind: "AUDIT" })],
  audit_seal_number_positive: (caller) => [seal(caller, { number: 0, previous: DIGEST })],
  audit_seal_entries_positive: (caller) => [seal(caller, { entries: 0 })],
  audit_seal_root_length: (caller) => [seal(caller, { root: SHORT_DIGEST })],
  audit_seal_digest_length: (caller) => [seal(caller, { digest: SHORT_DIGEST })],
  audit_seal_begins: (caller) => [seal(caller, { previous: DIGEST }), seal(caller, { number: 2 })],
  audit_seal_ids_ordered: (caller) => [
    seal(caller, { first_id: `7${"Z".repeat(25)}` }),
    seal(caller, { through_id: "0".repeat(26) }),
  ],
  audit_seal_id_unique: (caller) => [
    seal(caller, { seal_id: ULID }) + seal(caller, { seal_id: ULID, number: 2, previous: DIGEST }),
  ],
  audit_seal_follows: (caller) => [
    seal(caller, { number: 2, previous: DIGEST }),
    seal(caller, {}) + seal(caller, { number: 2, previous: OTHER_DIGEST }),
    seal(caller, {}) + seal(caller, { kind: "access", number: 2, previous: DIGEST }),
  ],
  audit_late_entry_of_seal: ({ accountId: account_id }) => [
    insertInto("audit_late_entries", { account_id, kind: "audit", entry_id: ULID, number: 1 }),
  ],
  search_index_build_single: () => [
    insertInto("search_index_build", { singleton: false, rule: 1, is_complete: true }),
  ],
  change_feed_single: () => [insertInto("change_feed", { singleton: false, feed_id: ulid() })],
  maintenance_window_single: () => [insertInto("maintenance_window", { singleton: false })],
  scheduled_backups_single: () => [insertInto("scheduled_backups", { singleton: false })],
  scheduled_backup_outcome_known: () => [
    scheduled({ run_id: ULID, started_at: AT, ended_at: AT, outcome: "GUESSED" }),
  ],
  scheduled_backup_run_whole: () => [
    scheduled({ run_id: ULID }),
    scheduled({ run_id: ULID, started_at: AT }),
    scheduled({ started_at: AT, claimed_until: AT }),
    scheduled({ claimed_until: AT }),
    scheduled({ run_id: ULID, started_at: AT, ended_at: AT }),
    scheduled({ run_id: ULID, started_at: AT, claimed_until: AT, outcome: "FAILED" }),
    scheduled({
      run_id: ULID,
      started_at: AT,
      claimed_until: AT,
      ended_at: AT,
      outcome: "FAILED",
    }),
  ],
  scheduled_backup_whole: () => [
    scheduled({ backup_at: AT }),
    scheduled({ backup_at: AT, backup_name: "a" }),
    scheduled({ backup_name: "a", backup_bytes: 1 }),
  ],
  ...ASSISTANT_OFFENCES,
  ...AUTHORIZATION_OFFENCES,
  ...SECOND_FACTOR_OFFENCES,
  ...PASSKEY_OFFENCES,
  ...CALENDAR_FEED_OFFENCES,
  access_attempt_subject_length: () => [attempt({ subject: SHORT_DIGEST })],
  access_attempt_address_length: () => [attempt({ address: SHORT_DIGEST })],
  access_attempt_network_length: () => [attempt({ network: SHORT_DIGEST })],
  // Records
  record_owner_exists: () => [insertRecord(newRoot(ulid()))],
  record_is_record: (caller) =>
    [
      ...WRONG_MODULE_CODES.map((module_code) => ({ module_code })),
      ...["[]", "1", `"text"`, "null", "true"].map((payload) => ({ payload })),
      ...[0, -1].map((revision) => ({ revision })),
      ...["user_input", "", "USER_INPUT "].map((source_type) => ({ source_type })),
      { summary: ROCKET.repeat(1001) },
      { title: ROCKET.repeat(201) },
      { updated_at: "2026-11-20T11:59:59.999Z" },
    ].map((columns) => root(caller, columns)),
  record_has_its_revision: (caller) => [insertInto("records", newRoot(caller.accountId))],
  revision_follows: (_, root) => [
    insertInto("record_revisions", revisionOf(nextRoot(nextRoot(root)))),
  ],
  revision_id_unique: (_, root) => [step(root, { revision_id: root.revision_id ?? null })],
  execution_feature_shape: (_, root) =>
    ["CMT-1", "cmt-001", "CMT-0011", "CMT-001\n"].map((feature_id) =>
      execution(root, { feature_id })
    ),
  execution_status_known: (_, root) => [execution(root, { status: "FAILED" })],
  execution_of_revision: (_, root) => [
    execution(root, { revision: 2 }),
    execution(root, { record_id: ulid() }),
  ],
  execution_names_its_revision: (_, root) => [
    execution(root, { record_id: null }),
    execution(root, { revision: null }),
  ],
  record_guard_is_a_permission: (caller) => [
    root(caller, { guard: "memory.secrets" }),
    root(caller, { guard: "" }),
  ],
  ...MEMORY_OFFENCES,
  ...IDENTITY_OFFENCES,
  ...DECISION_OFFENCES,
  ...RELATIONSHIP_OFFENCES,
  ...EVALUATION_OFFENCES,
  ...RESOURCE_OFFENCES,
  ...TAXONOMY_OFFENCES,
  ...IMPORT_OFFENCES,
  ...Object.assign({}, ...ROOT_KINDS.map(revisionOffences)),
  account_export_owner_exists: (caller) => [accountExport(caller, { owner_id: ulid() })],
  account_export_size_positive: (caller) => [accountExport(caller, { size: 0 })],
  account_export_digest_length: (caller) => [accountExport(caller, { sha256: SHORT_DIGEST })],
  account_export_counts_object: (caller) => [accountExport(caller, { counts: "[]" })],
  account_export_lifetime: (caller) => [accountExport(caller, { expires_at: AT })],
  erasure_reason_known: (caller) => [certificate(caller, { reason: "WHY" })],
  erasure_certificate_object: (caller) => [certificate(caller, { certificate: "[]" })],
  // Attachments
  attachment_owner_exists: (caller) => [attachment(caller, { owner_id: ulid() })],
  attachment_digest_length: (caller) => [attachment(caller, { sha256: SHORT_DIGEST })],
  attachment_filename_length: (caller) =>
    ["", "x".repeat(256)].map((filename) => attachment(caller, { filename })),
  attachment_media_type_length: (caller) =>
    ["", "x".repeat(256)].map((media_type) => attachment(caller, { media_type })),
  attachment_size_not_negative: (caller) => [attachment(caller, { size: -1 })],
  attachment_chunk_owner_exists: (caller) => [chunk(caller, { owner_id: ulid() })],
  attachment_chunk_number: (caller) => [-1, 64].map((number) => chunk(caller, { number })),
  attachment_chunk_digest_length: (caller) => [chunk(caller, { sha256: SHORT_DIGEST })],
  attachment_chunk_size: (caller) => [chunk(caller, { bytes: `\\x${"00".repeat(1_048_577)}` })],
  thumbnail_owner_exists: (caller) => [thumbnail(caller, { owner_id: ulid() })],
  thumbnail_media_type_known: (caller) => [thumbnail(caller, { media_type: "image/gif" })],
  thumbnail_width: (caller) => [0, 513].map((width) => thumbnail(caller, { width })),
  thumbnail_height: (caller) => [0, 513].map((height) => thumbnail(caller, { height })),
  thumbnail_size: (caller) =>
    ["", "00".repeat(65_537)].map((bytes) => thumbnail(caller, { bytes: `\\x${bytes}` })),
  attachment_usage_owner_exists: () => [
    insertInto("attachment_usage", { owner_id: ulid(), bytes: 0 }),
  ],
  attachment_quota: (caller) =>
    [-1, 10 * 1024 ** 3 + 1].map((bytes) =>
      insertInto("attachment_usage", { owner_id: caller.accountId, bytes })
    ),
};

/** Guards that replace foreign keys: the referenced row exists or was erased. */
const STANDING_FOR_KEYS = [
  "detail_links_person",
  "slug_of_profile",
  "taxonomy_merged_into_exists",
  "taxonomy_parent_exists",
] as const;

const SQLSTATES: Readonly<Record<string, string>> = {
  c: "23514",
  f: "23503",
  u: "23505",
  x: "23P01",
};

/**
 * SQLSTATE by constraint, except keys, domains and triggers. Unique constraints that include the
 * primary key exist for references and cannot be violated alone.
 */
function constraints(): Promise<ReadonlyMap<string, string>> {
  return known ??= readConstraints();
}

let someone: Promise<{ caller: Caller; root: Row }> | undefined;

/** An account and its record, which no offence changes. */
function offended(): Promise<{ caller: Caller; root: Row }> {
  return someone ??= (async () => {
    const caller = await world().createCaller();
    const root = newRoot(caller.accountId);
    await world().raw(insertRecord(root));
    return { caller, root };
  })();
}

let known: Promise<ReadonlyMap<string, string>> | undefined;

async function readConstraints(): Promise<ReadonlyMap<string, string>> {
  const rows = await world().rows(`
    select c.conname as name, c.contype as type from pg_constraint c
     where c.connamespace = 'public'::regnamespace and c.conrelid <> 0
       and c.contype in ('c', 'f', 'u', 'x')
       and not (c.contype = 'u' and exists (
         select from pg_constraint k
          where k.conrelid = c.conrelid and k.contype = 'p' and k.conkey <@ c.conkey))`);
  return new Map([
    ...rows.map(({ name, type }) => [name, SQLSTATES[type] ?? type] as const),
    ...STANDING_FOR_KEYS.map((name) => [name, SQLSTATES.f ?? ""] as const),
  ]);
}

Deno.test("Every constraint has an offence to test it", async () => {
  const names = [...(await constraints()).keys()];
  assertEquals(Object.keys(OFFENCES).sort(), names.sort());
});

for (const [name, offences] of Object.entries(OFFENCES)) {
  Deno.test(`Constraint ${name} rejects its offences`, async () => {
    const sqlstate = (await constraints()).get(name);
    const { caller, root } = await offended();
    for (const statement of offences(caller, root)) {
      assertEquals(await refusal(world(), statement), `${sqlstate} ${name}`, statement);
    }
  });
}

Deno.test("Texts are accepted up to their lengths in code points", async () => {
  const caller = await world().createCaller();
  const longest = { title: ROCKET.repeat(200), summary: ROCKET.repeat(1000), payload: "{}" };
  const stored = newRoot(caller.accountId, longest);
  const accepted = [
    account({ display_name: ROCKET.repeat(200) }),
    insertRecord(stored),
    step(stored, {}),
    session(caller, { device_name: ROCKET.repeat(200) }),
    attachment(caller, { filename: ROCKET.repeat(255), media_type: "x".repeat(255), size: 0 }),
    execution(stored, {}),
  ];
  for (const statement of accepted) {
    assertEquals(await refusal(world(), statement), null, statement);
  }
});

Deno.test("An execution of another module than its record's is rejected", async () => {
  const caller = await world().createCaller();
  const root = newRoot(caller.accountId);
  await world().raw(insertRecord(root));
  const statement = execution(root, { module_code: "health" });
  assertEquals(await refusal(world(), statement), "PRS05");
});

const MALFORMED_IDENTIFIERS = [
  "",
  "01ARZ3NDEKTSV4RRFFQ69G5FA",
  "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
  "01arz3ndektsv4rrffq69g5fav",
  "81ARZ3NDEKTSV4RRFFQ69G5FAV",
  "ZZZZZZZZZZZZZZZZZZZZZZZZZZ",
  "01ARZ3NDEKTSV4RRFFQ69G5FAI",
  "01ARZ3NDEKTSV4RRFFQ69G5FAL",
  "01ARZ3NDEKTSV4RRFFQ69G5FAO",
  "01ARZ3NDEKTSV4RRFFQ69G5FAU",
  "01ARZ3NDEKTSV4RRFFQ69G5FA\n",
  "01ARZ3NDEKTSV4RRFFQ69G5FAV\n",
  " 01ARZ3NDEKTSV4RRFFQ69G5FA",
  "01ARZ3NDEKTSV4RRFFQ69G5FA٣",
];

Deno.test("Every identifier column rejects non-canonical ULIDs", async () => {
  for (const identifier of MALFORMED_IDENTIFIERS) {
    const statement = `select ${literal(identifier)}::ulid`;
    assertEquals(await refusal(world(), statement), "23514 canonical_ulid", statement);
  }
  const columns = await world().rows(`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and domain_name = 'ulid' order by 1, 2`);
  for (const { table, column } of columns) {
    const statement = insertInto(table, { [column]: "" });
    assertEquals(await refusal(world(), statement), "23514 canonical_ulid", statement);
  }
});

Deno.test("Every column named as an identifier is one", async () => {
  const others = await world().rows(`
    select distinct column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%\\_id' and domain_name is null
     order by 1`);
  // Not ULIDs: a request's id may be the client's; a feature's is its code; a transaction's is the
  // database's.
  assertEquals(others.map(({ name }) => name), ["feature_id", "request_id", "transaction_id"]);
});

Deno.test("Every time is stored to the millisecond, every key in byte order", async () => {
  const moments = await world().rows(`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type like 'time%'
       and (data_type <> 'timestamp with time zone' or datetime_precision <> 3)`);
  assertEquals([...moments], []);
  const keys = await world().rows(`
    select distinct a.attname as name
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
      join pg_collation c on c.oid = a.attcollation
     where k.contype = 'p' and k.connamespace = 'public'::regnamespace and c.collname <> 'C'
     order by 1`);
  // Compared for equality only.
  assertEquals(keys.map(({ name }) => name), ["kind", "operation", "target"]);
});

/** Rows of assistants and their proposals, and those that their constraints must refuse. */

import { ulid } from "@std/ulid";
import type { Caller } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { AT, insertInto, type Offences, type Row } from "./rows.ts";

const DIGEST = `\\x${"ab".repeat(32)}`;

export function newAssistant(caller: Caller, columns: Row = {}): Row {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return {
    account_id: caller.accountId,
    assistant_id: ulid(),
    name: "Helper",
    modules: "commitment memory",
    may_propose: true,
    sensitive: "HIDDEN",
    secret_digest: `\\x${bytes.toHex()}`,
    created_at: AT,
    expires_at: "2026-12-20T12:00:00.000Z",
    ...columns,
  };
}

/** An assistant of a program that signs in. */
export function newSigningIn(caller: Caller, columns: Row = {}): Row {
  return newAssistant(caller, { secret_digest: null, program: "CLAUDE", ...columns });
}

/** A code of an assistant, which `columns` name. */
export function newCode({ accountId }: Caller, columns: Row): Row {
  return {
    account_id: accountId,
    code_id: ulid(),
    code_digest: digest(),
    client: ulid(),
    callback: "https://claude.ai/api/mcp/auth_callback",
    challenge: "a".repeat(43),
    is_offline: false,
    created_at: AT,
    expires_at: "2026-11-20T12:01:00.000Z",
    ...columns,
  };
}

/** A pair of tokens of a code, which `columns` name. */
export function newPair({ accountId }: Caller, columns: Row): Row {
  return {
    account_id: accountId,
    token_id: ulid(),
    access_digest: digest(),
    refresh_digest: digest(),
    created_at: AT,
    access_expires_at: "2026-11-20T13:00:00.000Z",
    refresh_expires_at: "2026-12-20T12:00:00.000Z",
    ...columns,
  };
}

/** An assistant with a code and its first pair. */
export function insertSignIn(caller: Caller, columns: { code?: Row; pair?: Row } = {}): string {
  const assistant = newSigningIn(caller);
  const { assistant_id = null } = assistant;
  const code = newCode(caller, { assistant_id, ...columns.code });
  const { code_id = null } = code;
  return insertInto("assistants", assistant) + insertInto("assistant_codes", code) +
    insertInto("assistant_tokens", newPair(caller, { code_id, ...columns.pair }));
}

/** A proposal of a record. */
export function newProposal(caller: Caller, columns: Row = {}): Row {
  return {
    owner_id: caller.accountId,
    proposal_id: ulid(),
    assistant_id: ulid(),
    assistant_name: "Helper",
    kind: "RECORD",
    module_code: "commitment",
    body: '{"payload":{},"title":"A ladder"}',
    created_at: AT,
    ...columns,
  };
}

const assistant = (caller: Caller, columns: Row) =>
  insertInto("assistants", newAssistant(caller, columns));
const code = (caller: Caller, columns: Row) => insertSignIn(caller, { code: columns });
const pair = (caller: Caller, columns: Row) => insertSignIn(caller, { pair: columns });
const signingIn = (caller: Caller, columns: Row) =>
  insertInto("assistants", newSigningIn(caller, columns));
const proposal = (caller: Caller, columns: Row) =>
  insertInto("assistant_proposals", newProposal(caller, columns));
const decided = (caller: Caller, columns: Row) => {
  const { owner_id = null, proposal_id = null, ...row } = newProposal(caller);
  const event = { owner_id, proposal_id, state: "REJECTED", decided_at: AT, ...columns };
  return insertInto("assistant_proposals", { owner_id, proposal_id, ...row }) +
    insertInto("assistant_proposal_events", event);
};
const call = (caller: Caller, columns: Row) =>
  insertInto("access_events", {
    account_id: caller.accountId,
    event_id: ulid(),
    event: "ASSISTANT_READ",
    credential_kind: "ASSISTANT",
    credential_id: ulid(),
    request_id: "a-request",
    created_at: AT,
    tool: "search",
    module_code: null,
    records: 0,
    ...columns,
  });

const MODULES = ["", "Commitment", " memory", "memory,action", Array(25).fill("memory").join(" ")];

/** Rows that the constraints of assistants and of their sign-in must refuse, by constraint. */
export const ASSISTANT_OFFENCES: Readonly<Record<string, Offences>> = {
  token_modules_form: (caller) =>
    MODULES.map((modules) =>
      insertInto("tokens", {
        account_id: caller.accountId,
        token_id: ulid(),
        name: "A program",
        secret_digest: DIGEST,
        modules,
        created_at: AT,
        expires_at: "2026-12-20T12:00:00.000Z",
      })
    ),
  assistant_of_account: (caller) => [assistant(caller, { account_id: ulid() })],
  assistant_name_length: (caller) =>
    ["", "x".repeat(101)].map((name) => assistant(caller, { name })),
  assistant_modules_form: (caller) => MODULES.map((modules) => assistant(caller, { modules })),
  assistant_sensitive_known: (caller) =>
    ["", "hidden", "SOME"].map((sensitive) => assistant(caller, { sensitive })),
  assistant_digest_unique: (caller) => {
    const same = { secret_digest: DIGEST };
    return [assistant(caller, same) + assistant(caller, same)];
  },
  assistant_digest_length: (caller) => [assistant(caller, { secret_digest: "\\xab" })],
  assistant_lifetime: (caller) =>
    [AT, "2026-11-20T11:59:59.999Z", "2027-02-18T12:00:00.001Z"].map((expires_at) =>
      assistant(caller, { expires_at })
    ),
  assistant_program_known: (caller) =>
    ["", "claude", "GEMINI"].map((program) => signingIn(caller, { program })),
  assistant_has_secret_or_program: (caller) => [
    assistant(caller, { secret_digest: null }),
    assistant(caller, { program: "CLAUDE" }),
  ],
  assistant_callbacks_are_of_other: (caller) => [
    signingIn(caller, { program: "OTHER" }),
    signingIn(caller, { callbacks: "https://one.example/" }),
    assistant(caller, { callbacks: "https://one.example/" }),
  ],
  assistant_callbacks_length: (caller) =>
    ["", "x".repeat(2_505)].map((callbacks) => signingIn(caller, { program: "OTHER", callbacks })),
  assistant_bound_callback_has_program: (caller) => [
    assistant(caller, { bound_callback: "https://one.example/" }),
  ],
  assistant_bound_callback_length: (caller) =>
    ["", "x".repeat(501)].map((bound_callback) => signingIn(caller, { bound_callback })),
  assistant_code_of_assistant: (caller) => [code(caller, { assistant_id: ulid() })],
  assistant_code_unique: (caller) => {
    const same = { code_digest: DIGEST };
    return [code(caller, same) + code(caller, same)];
  },
  assistant_code_digest_length: (caller) => [code(caller, { code_digest: digest(31) })],
  assistant_code_client_length: (caller) =>
    ["", "x".repeat(101)].map((client) => code(caller, { client })),
  assistant_code_callback_length: (caller) =>
    ["", "x".repeat(501)].map((callback) => code(caller, { callback })),
  assistant_code_challenge_form: (caller) =>
    ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`, `${"a".repeat(43)}\n`].map((
      challenge,
    ) => code(caller, { challenge })),
  assistant_code_lifetime: (caller) =>
    [AT, "2026-11-20T11:59:59.999Z", "2026-11-20T12:01:00.001Z", "infinity"].map((expires_at) =>
      code(caller, { expires_at })
    ),
  assistant_token_of_code: (caller) => [pair(caller, { code_id: ulid() })],
  assistant_access_token_unique: (caller) => {
    const same = { access_digest: DIGEST };
    return [pair(caller, same) + pair(caller, same)];
  },
  assistant_refresh_token_unique: (caller) => {
    const same = { refresh_digest: DIGEST };
    return [pair(caller, same) + pair(caller, same)];
  },
  assistant_access_digest_length: (caller) => [pair(caller, { access_digest: digest(31) })],
  assistant_refresh_digest_length: (caller) => [pair(caller, { refresh_digest: digest(33) })],
  assistant_access_lifetime: (caller) =>
    [AT, "2026-11-20T13:00:00.001Z"].map((access_expires_at) =>
      pair(caller, { access_expires_at })
    ),
  assistant_refresh_lifetime: (caller) =>
    [AT, "2026-12-20T12:00:00.001Z"].map((refresh_expires_at) =>
      pair(caller, { refresh_expires_at })
    ),
  assistant_token_end_of_first_pair: (caller) => [
    pair(caller, { refreshed_from: ulid(), ended_at: AT }),
  ],
  assistant_token_refreshed_from: (caller) => [pair(caller, { refreshed_from: ulid() })],
  access_event_tool_form: (caller) =>
    ["", "Search", "a tool"].map((tool) => call(caller, { tool })),
  access_event_module_form: (caller) =>
    ["", "Memory", "a module"].map((module_code) => call(caller, { module_code })),
  access_event_records_positive: (caller) => [call(caller, { records: -1 })],
  access_event_count_positive: (caller) => [call(caller, { count: 0 })],
  assistant_proposal_assistant_name_length: (caller) =>
    ["", "x".repeat(101)].map((assistant_name) => proposal(caller, { assistant_name })),
  assistant_proposal_kind_known: (caller) =>
    ["", "record", "DELETE"].map((kind) =>
      proposal(caller, { kind, target: ulid(), expected_revision: 1 })
    ),
  assistant_proposal_memory_text_of_memory: (caller) => [
    proposal(caller, { kind: "MEMORY_TEXT", target: ulid(), expected_revision: 1 }),
    proposal(caller, { module_code: "memory" }),
  ],
  assistant_proposal_body_object: (caller) => [proposal(caller, { body: "[]" })],
  assistant_proposal_target_whole: (caller) => [
    proposal(caller, { target: ulid() }),
    proposal(caller, { expected_revision: 1 }),
    proposal(caller, { kind: "CHANGE", target: ulid() }),
  ],
  assistant_proposal_of_revision: (caller) => [
    proposal(caller, { kind: "CHANGE", target: ulid(), expected_revision: 1 }),
  ],
  assistant_proposal_event_known: (caller) =>
    ["", "PENDING", "STALE"].map((state) => decided(caller, { state })),
  assistant_proposal_event_whole: (caller) => [
    decided(caller, { state: "ACCEPTED" }),
    decided(caller, { record_id: ulid() }),
    decided(caller, { state: "ACCEPTED", revision: 1 }),
  ],
  assistant_proposal_event_of_proposal: (caller) => [decided(caller, { proposal_id: ulid() })],
  assistant_proposal_event_of_target: (caller) => [decided(caller, { target: ulid() })],
  assistant_proposal_event_of_revision: (caller) => [
    decided(caller, { state: "ACCEPTED", record_id: ulid(), revision: 1 }),
  ],
};

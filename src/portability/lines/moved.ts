/** Lines that only a moving account's file has. */

import { movedAccounts } from "../../access/account_row.ts";
import { movedEnvelopes } from "../../command/statements.ts";
import { lineType } from "../description.ts";
import { anyId, digest, id, integer, names, object, optional, stamp, text } from "../kinds.ts";

/** The account's email, password and permissions. */
export const ACCOUNT = lineType("account", {
  table: "accounts",
  rows: movedAccounts,
  columns: {
    account_id: id,
    email: text,
    display_name: text,
    password_hash: text,
    role: optional(text),
    granted: names,
    created_at: stamp,
    disabled_at: optional(stamp),
  },
  isWritten: false,
});

/** Seals of one server's trail do not move; new ones will cover these entries. */
export const AUDIT_ENTRIES = lineType("auditEntry", {
  table: "audit_entries",
  columns: {
    audit_id: id,
    actor_id: anyId,
    credential_kind: text,
    credential_id: anyId,
    operation: text,
    module_code: optional(text),
    subject_id: optional(anyId),
    revision: optional(integer),
    request_id: text,
    created_at: stamp,
    via_assistant: optional(anyId),
  },
});

/** Envelopes answer repetitions of finished writes. */
export const ENVELOPES = lineType("envelope", {
  table: "idempotency_envelopes",
  rows: movedEnvelopes,
  key: ["operation", "target", "idempotency_key"],
  columns: {
    operation: text,
    target: text,
    idempotency_key: text,
    fingerprint: digest,
    fingerprint_key: text,
    envelope: object,
    created_at: stamp,
  },
});

/** Shared parts of the authenticators of sessions and of tokens. */

import { sha256Hex } from "../core/digest.ts";
import { BatchedLookUp } from "../database/batched.ts";
import type { Database } from "../database/database.ts";
import { byteaArray, type Query, type Sql } from "../database/sql.ts";
import {
  type AccountRow,
  type GrantedRow,
  permissionsOfAccount,
  toAccount,
} from "./account_row.ts";
import type { Authenticator, Caller } from "./identity.ts";
import type { Permission, RoleMatrix } from "./permissions.ts";

/** The time of a credential's last use is written at most this often, unless its life is short. */
export const USE_INTERVAL_MS = 60 * 60 * 1000;

/** A valid credential and its account. */
export interface CredentialRow extends AccountRow, GrantedRow {
  /** The digest of the credential's secret, in hex. */
  readonly digest: string;
  readonly last_use: Date | null;
}

/** One kind of credential. */
export interface CredentialKind<Row extends CredentialRow> {
  /** Reads the credentials of these digests, an array literal, that are valid at a moment. */
  readonly find: (sql: Sql, digests: string, at: Date) => Query<Row>;
  /** The rights of a credential, given those of its account. */
  readonly credentialOf: (
    row: Row,
    allowed: ReadonlySet<Permission>,
  ) => Pick<Caller, "credential" | "permissions">;
  /**
   * Stores the time of a use, unless a later one than `due` is stored: of concurrent uses the first writes.
   */
  readonly touch: (sql: Sql, row: Row, now: Date, due: Date) => Query<object>;
  /** The time of a use is written at most this often. */
  readonly useIntervalMs: number;
}

/** Authenticates secrets by indexed look-ups of their digests, one query for all that wait. */
export function createAuthenticator<Row extends CredentialRow>(
  database: Database,
  roles: RoleMatrix,
  { find, credentialOf, touch, useIntervalMs }: CredentialKind<Row>,
): Authenticator {
  const lookUp = new BatchedLookUp<Row>(async (digests, at) => {
    const rows = await database.read((sql) => find(sql, byteaArray(digests), at));
    return new Map(rows.map((row) => [row.digest, row]));
  });
  return async (secret, now) => {
    const row = await lookUp.find(sha256Hex(secret), now);
    if (row === undefined) return null;
    const due = new Date(now.getTime() - useIntervalMs);
    if (row.last_use === null || row.last_use <= due) {
      // No response waits for this write or fails with it: the next request tries again.
      database.write((sql) => touch(sql, row, now, due)).catch(() => {});
    }
    const allowed = permissionsOfAccount(row, roles);
    return { account: toAccount(row), useIntervalMs, ...credentialOf(row, allowed) };
  };
}

import { sha256Hex } from "../core/digest.ts";
import { BatchedLookUp } from "../database/batched.ts";
import type { Database } from "../database/database.ts";
import { byteaArray, type Query, type Sql } from "../database/sql.ts";
import { accountMoved } from "../errors/service_error.ts";
import {
  type AccountRow,
  type GrantedRow,
  permissionsOfAccount,
  toAccount,
} from "./account_row.ts";
import type { Authenticator, Caller } from "./identity.ts";
import type { Permission, RoleMatrix } from "./permissions.ts";

/** Minimum time between two writes of a credential's last use, unless its life is short. */
export const USE_INTERVAL_MS = 60 * 60 * 1000;

export interface CredentialRow extends AccountRow, GrantedRow {
  /** Hex of the secret's SHA-256. */
  readonly digest: string;
  readonly last_use: Date | null;
  /** The new address of an account that has moved. */
  readonly moved_to: string | null;
}

interface CredentialKind<Row extends CredentialRow> {
  /**
   * Returns credentials that are valid at `at`, and those that were when their account moved.
   *
   * @param digests An array literal.
   */
  readonly find: (sql: Sql, digests: string, at: Date) => Query<Row>;
  readonly credentialOf: (
    row: Row,
    allowed: ReadonlySet<Permission>,
  ) => Pick<Caller, "credential" | "permissions" | "modules" | "assistant">;
  /** Stores the time of a use unless one after `due` is stored: one of concurrent uses writes. */
  readonly touch: (sql: Sql, row: Row, now: Date, due: Date) => Query<object>;
  readonly useIntervalMs: number;
}

/**
 * Authenticates secrets by their digests. Concurrent look-ups share one query. The result rejects
 * with `ACCOUNT_MOVED` for a secret that the move of its account ended.
 */
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
    if (row.moved_to !== null) throw accountMoved(row.moved_to);
    const due = new Date(now.getTime() - useIntervalMs);
    if (row.last_use === null || row.last_use <= due) {
      // Not awaited: if it fails, the next request tries again.
      database.write((sql) => touch(sql, row, now, due)).catch(() => {});
    }
    const allowed = permissionsOfAccount(row, roles);
    return { account: toAccount(row), useIntervalMs, ...credentialOf(row, allowed) };
  };
}

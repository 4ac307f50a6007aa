import { component, type JsonSchema, nullable, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import type { Permission } from "./permissions.ts";

/** An account as the outside may see it. */
export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  /** Null where an operator took the role away: the account may do nothing. */
  readonly role: string | null;
  readonly createdAt: string;
}

export const ACCOUNT_SCHEMA: JsonSchema = component<Account>("Account", {
  accountId: ULID,
  email: TEXT,
  displayName: TEXT,
  role: nullable(TEXT),
  createdAt: TIME,
});

/**
 * What a request presented to be let in: a session, or a personal access token. An operator's command
 * presents none: it comes as `ADMIN`, with the account's own identifier. Nor does the service itself:
 * it comes as `SYSTEM`, with an identifier of its process.
 */
export interface Credential {
  readonly kind: "SESSION" | "TOKEN" | "ADMIN" | "SYSTEM";
  readonly id: string;
  readonly expiresAt: string;
}

/** The end of a session or token. */
export interface Revocation {
  readonly revokedAt: Date;
  /** Whether it ended just now, and not before. */
  readonly isNew: boolean;
}

/**
 * The authenticated caller: the account, which is also the owner of everything it may reach, the
 * credential of the request, and the permissions of that credential.
 */
export interface Identity {
  readonly account: Account;
  readonly credential: Credential;
  readonly permissions: ReadonlySet<Permission>;
  /** Set where the identity is one that an earlier request looked up, and has to be confirmed. */
  readonly assumption?: Assumption;
}

/** What a statement asks of an identity that was not looked up for its request. */
export interface Assumption {
  readonly role: string;
  /** The last use of the credential must have been noted since: otherwise a look-up has to note one. */
  readonly usedSince: Date;
  /** Whether the newest statement that asked has found that the identity holds. */
  isConfirmed: boolean;
}

/** Whether two identities are equal in everything: account, credential and permissions. */
export function isSameIdentity(one: Identity, other: Identity): boolean {
  return isEqual(one.account, other.account) && isEqual(one.credential, other.credential) &&
    isEqualSet(one.permissions, other.permissions);
}

/** Those of one role are usually one and the same. */
function isEqualSet<Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): boolean {
  return one === other || (one.size === other.size && one.isSubsetOf(other));
}

function isEqual<Values extends Account | Credential>(one: Values, other: Values): boolean {
  const names = Object.keys(one) as (keyof Values)[];
  return names.every((name) => one[name] === other[name]);
}

/**
 * The service itself, where a worker of its own writes for an account. It passes no route, so it holds
 * no permission.
 *
 * @param processId The process's own identifier, `CommandRunner.processId`.
 */
export function systemIdentity(account: Account, processId: string, now: Date): Identity {
  const credential = { kind: "SYSTEM", id: processId, expiresAt: now.toISOString() } as const;
  return { account, credential, permissions: new Set() };
}

/** Finds the identity of a secret at a moment; null where the secret is not valid. */
export type Authenticator = (secret: string, now: Date) => Promise<Identity | null>;

/** One for each kind of credential. */
export interface Authenticators {
  readonly session: Authenticator;
  readonly token: Authenticator;
}

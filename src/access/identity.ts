import type { Holder } from "../core/holder.ts";
import { component, type JsonSchema, nullable, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import type { Confirmation } from "./confirmation.ts";
import type { Permission } from "./permissions.ts";

/** An account as the outside may see it. */
export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  /** Null if an operator removed the role: the account has no permissions. */
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
 * The credential of a request: a session or a personal access token. An operator's command has the kind
 * `ADMIN` with the account's identifier, and the service itself `SYSTEM` with an identifier of its process.
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
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
  readonly permissions: ReadonlySet<Permission>;
  /** The last use of the credential is known to so many milliseconds. */
  readonly useIntervalMs?: number;
  /** Set for a cached identity only: `http/speculation.ts`. */
  readonly confirmation?: Confirmation;
  /** The records whose SECRET content the response shows; filled while a request is answered. */
  readonly secretsShown?: Set<string>;
}

/**
 * Whether SECRET content of a record is hidden from a reader without the permission. If it is shown, the
 * read is noted: `SecretReads` writes its access event before the reply is sent.
 */
export function hidesSecret(reader: Caller, permission: Permission, recordId: string): boolean {
  if (!reader.permissions.has(permission)) return true;
  noteSecretShown(reader, recordId);
  return false;
}

/** Notes that the reply to a request shows SECRET content of a record, or a file with such content. */
export function noteSecretShown({ secretsShown }: Caller, id: string): void {
  secretsShown?.add(id);
}

/** The unit that limits apply to: an account's sessions share one, and its tokens another. */
export function holderOf({ account, credential }: Caller): Holder {
  return { accountId: account.accountId, kind: credential.kind };
}

/** Whether two identities are equal in everything: account, credential and permissions. */
export function isSameCaller(one: Caller, other: Caller): boolean {
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
 * The service itself, when its own worker writes for an account. It does not pass a route, so it needs no
 * permission.
 *
 * @param processId The process's own identifier, `CommandRunner.processId`.
 */
export function systemCaller(account: Account, processId: string, now: Date): Caller {
  const credential = { kind: "SYSTEM", id: processId, expiresAt: now.toISOString() } as const;
  return { account, credential, permissions: new Set() };
}

/** Finds the identity of a secret at a time; null if the secret is not valid. */
export type Authenticator = (secret: string, now: Date) => Promise<Caller | null>;

/** One for each kind of credential. */
export interface Authenticators {
  readonly session: Authenticator;
  readonly token: Authenticator;
}

import type { Holder } from "../core/holder.ts";
import { component, type JsonSchema, nullable, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import type { Confirmation } from "./confirmation.ts";
import type { Permission } from "./permissions.ts";

/** The public form of an account. */
export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  /** Null if an operator removed the role. */
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

/** For `ADMIN`, the id is the account's; for `SYSTEM`, the process's. */
export interface Credential {
  readonly kind: "SESSION" | "TOKEN" | "ASSISTANT" | "ADMIN" | "SYSTEM";
  readonly id: string;
  readonly expiresAt: string;
}

export interface Revocation {
  readonly revokedAt: Date;
  /** False if the credential had already ended. */
  readonly isNew: boolean;
}

/** The rights of an assistant in addition to reading. */
export interface AssistantRights {
  readonly name: string;
  readonly mayPropose: boolean;
  /** Whether it reads sensitive fields. */
  readonly showsSensitive: boolean;
}

/** The account also owns everything that the caller may reach. */
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
  readonly permissions: ReadonlySet<Permission>;
  /** The codes of the modules that the credential is limited to; absent without a limit. */
  readonly modules?: ReadonlySet<string>;
  /** The rights of an assistant; absent for any other credential. */
  readonly assistant?: AssistantRights;
  /** Precision of the stored last use, in milliseconds. */
  readonly useIntervalMs?: number;
  /** Set only for a cached identity, see `http/speculation.ts`. */
  readonly confirmation?: Confirmation;
  /** Ids of SECRET records shown in the reply so far. */
  readonly secretsShown?: Set<string>;
}

/**
 * True without the permission. Otherwise the read is noted: `SecretReads` writes its access event
 * before the response is sent.
 */
export function hidesSecret(reader: Caller, permission: Permission, recordId: string): boolean {
  if (!reader.permissions.has(permission)) return true;
  noteSecretShown(reader, recordId);
  return false;
}

export function noteSecretShown({ secretsShown }: Caller, id: string): void {
  secretsShown?.add(id);
}

/** Whether a credential reaches the records of a module. Its permissions are another condition. */
export function reachesModule({ modules }: Pick<Caller, "modules">, code: string): boolean {
  return modules === undefined || modules.has(code);
}

/** The unit of rate limits: an account's sessions, its tokens, or its assistants. */
export function holderOf({ account, credential }: Caller): Holder {
  return { accountId: account.accountId, kind: credential.kind };
}

export function isSameCaller(one: Caller, other: Caller): boolean {
  return isEqual(one.account, other.account) && isEqual(one.credential, other.credential) &&
    isEqualSet(one.permissions, other.permissions);
}

/** Sets of one role are usually the same object. */
function isEqualSet<Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): boolean {
  return one === other || (one.size === other.size && one.isSubsetOf(other));
}

function isEqual<Values extends Account | Credential>(one: Values, other: Values): boolean {
  const names = Object.keys(one) as (keyof Values)[];
  return names.every((name) => one[name] === other[name]);
}

/**
 * Returns the service itself as the caller of a background job. It passes no route, so it needs no
 * permission.
 *
 * @param processId `CommandRunner.processId`.
 */
export function systemCaller(account: Account, processId: string, now: Date): Caller {
  const credential = { kind: "SYSTEM", id: processId, expiresAt: now.toISOString() } as const;
  return { account, credential, permissions: new Set() };
}

export type Authenticator = (secret: string, now: Date) => Promise<Caller | null>;

export interface Authenticators {
  readonly session: Authenticator;
  readonly token: Authenticator;
  readonly assistant: Authenticator;
}

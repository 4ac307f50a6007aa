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
 * presents none: it comes as `ADMIN`, with the account's own identifier.
 */
export interface Credential {
  readonly kind: "SESSION" | "TOKEN" | "ADMIN";
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
}

/** Finds the identity of a secret at a moment; null where the secret is not valid. */
export type Authenticator = (secret: string, now: Date) => Promise<Identity | null>;

/** One for each kind of credential. */
export interface Authenticators {
  readonly session: Authenticator;
  readonly token: Authenticator;
}

import type { Permission } from "./permissions.ts";

/** An account as the outside may see it. */
export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: string;
  readonly createdAt: string;
}

/** What a request presented to be let in. */
export interface Credential {
  readonly kind: "SESSION";
  readonly id: string;
  readonly expiresAt: string;
}

/**
 * Who is asking: the account, which is also the owner of everything it may reach, the credential it
 * came with, and what that credential may do.
 */
export interface Identity {
  readonly account: Account;
  readonly credential: Credential;
  readonly permissions: ReadonlySet<Permission>;
}

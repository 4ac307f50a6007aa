/** Every permission of the service by its public name (specification, Authentication). */
export const PERMISSIONS = [
  "platform.operate",
  "record.read",
  "record.write",
  "attachment.read",
  "attachment.write",
  "memory.read",
  "memory.write",
  "memory.secret",
  "identity.read",
  "identity.write",
  "identity.publish",
  "relationship.person.read",
  "relationship.person.write",
  "relationship.status.control",
  "relationship.ledger.read",
  "relationship.ledger.write",
  "relationship.ledger.secret",
  "relationship.evaluation.propose",
  "relationship.evaluation.confirm",
  "decision.read",
  "decision.write",
  "resource.read",
  "resource.write",
  "taxonomy.read",
  "taxonomy.write",
  "search.read",
  "changes.read",
  "audit.read",
  "token.manage",
  "account.manage",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** What each role may do with the account's own data. A role that is not listed may do nothing. */
const ROLE_PERMISSIONS: Readonly<Record<string, ReadonlySet<Permission>>> = {
  OWNER: new Set(PERMISSIONS),
};

/** The permissions of a role; none for an unknown one. */
export function permissionsOf(role: string): ReadonlySet<Permission> {
  return Object.hasOwn(ROLE_PERMISSIONS, role) ? ROLE_PERMISSIONS[role] ?? NONE : NONE;
}

const NONE: ReadonlySet<Permission> = new Set();

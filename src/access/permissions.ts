/** Each permission's identifier (specification, Authentication), as `sql/` inserts it. */
export const PERMISSION_IDS = {
  "platform.operate": "01KAGQ0000PERM000000000001",
  "record.read": "01KAGQ0000PERM000000000002",
  "record.write": "01KAGQ0000PERM000000000003",
  "attachment.read": "01KAGQ0000PERM000000000004",
  "attachment.write": "01KAGQ0000PERM000000000005",
  "memory.read": "01KAGQ0000PERM000000000006",
  "memory.write": "01KAGQ0000PERM000000000007",
  "memory.secret": "01KAGQ0000PERM000000000008",
  "identity.read": "01KAGQ0000PERM000000000009",
  "identity.write": "01KAGQ0000PERM000000000010",
  "identity.publish": "01KAGQ0000PERM000000000011",
  "relationship.person.read": "01KAGQ0000PERM000000000012",
  "relationship.person.write": "01KAGQ0000PERM000000000013",
  "relationship.status.control": "01KAGQ0000PERM000000000014",
  "relationship.ledger.read": "01KAGQ0000PERM000000000015",
  "relationship.ledger.write": "01KAGQ0000PERM000000000016",
  "relationship.ledger.secret": "01KAGQ0000PERM000000000017",
  "relationship.evaluation.propose": "01KAGQ0000PERM000000000018",
  "relationship.evaluation.confirm": "01KAGQ0000PERM000000000019",
  "decision.read": "01KAGQ0000PERM000000000020",
  "decision.write": "01KAGQ0000PERM000000000021",
  "resource.read": "01KAGQ0000PERM000000000022",
  "resource.write": "01KAGQ0000PERM000000000023",
  "taxonomy.read": "01KAGQ0000PERM000000000024",
  "taxonomy.write": "01KAGQ0000PERM000000000025",
  "search.read": "01KAGQ0000PERM000000000026",
  "changes.read": "01KAGQ0000PERM000000000027",
  "audit.read": "01KAGQ0000PERM000000000028",
  "token.manage": "01KAGQ0000PERM000000000029",
  "account.manage": "01KAGQ0000PERM000000000030",
  "import.write": "01KAGQ0000PERM000000000031",
} as const;

export type Permission = keyof typeof PERMISSION_IDS;

export const PERMISSIONS = Object.keys(PERMISSION_IDS) as readonly Permission[];

export const ROLE_IDS = {
  OWNER: "01KAGQ0000RANK000000000001",
  EDITOR: "01KAGQ0000RANK000000000002",
  VIEWER: "01KAGQ0000RANK000000000003",
  SERVICE: "01KAGQ0000RANK000000000004",
} as const;

export type AccessRole = keyof typeof ROLE_IDS;

export type RoleMatrix = ReadonlyMap<string, ReadonlySet<Permission>>;

export function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSION_IDS, name);
}

export function isRole(name: string): name is AccessRole {
  return Object.hasOwn(ROLE_IDS, name);
}

// engines: postgres
/** The permission matrix and its check. */

import { assertEquals, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  AuthorizationIdentifierConflictError,
  checkAuthorizationIdentifiers,
  loadRoleMatrix,
} from "../../src/access/authorization.ts";
import {
  type Permission,
  PERMISSION_IDS,
  PERMISSIONS,
  ROLE_IDS,
} from "../../src/access/permissions.ts";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { fileWorld, type Json } from "../support/world.ts";
import { emptyDatabases } from "./empty_database.ts";

// Without rows that name permissions.
const world = fileWorld();
const openEmpty = emptyDatabases();

const VIEWER: readonly Permission[] = [
  "platform.operate",
  "record.read",
  "attachment.read",
  "memory.read",
  "identity.read",
  "relationship.person.read",
  "relationship.ledger.read",
  "decision.read",
  "resource.read",
  "taxonomy.read",
  "search.read",
  "changes.read",
];
const NOT_EDITOR: readonly Permission[] = [
  "account.manage",
  "token.manage",
  "relationship.evaluation.confirm",
  "relationship.status.control",
];

Deno.test("loadRoleMatrix() reads each role's permissions", async () => {
  const matrix = await loadRoleMatrix(world().database);
  const sorted = (role: string) => [...matrix.get(role) ?? []].sort();
  assertEquals(sorted("OWNER"), [...PERMISSIONS].sort());
  assertEquals(sorted("EDITOR"), PERMISSIONS.filter((name) => !NOT_EDITOR.includes(name)).sort());
  assertEquals(sorted("VIEWER"), [...VIEWER].sort());
  assertEquals(sorted("SERVICE"), []);
  assertEquals(matrix.size, 3);
});

Deno.test("The database has exactly the fixed identifiers", async () => {
  const names = (rows: readonly Json[]) =>
    Object.fromEntries(rows.map(({ name, id }) => [name, id]));
  const permissions = await world().rows("select name, permission_id as id from permissions");
  const roles = await world().rows("select name, role_id as id from roles");
  assertEquals(names(permissions), { ...PERMISSION_IDS });
  assertEquals(names(roles), { ...ROLE_IDS });
});

/** Uses the database after a script, which is rolled back. */
async function after(script: string, use: (database: Database) => Promise<void>): Promise<void> {
  const undone = new Error("The script is undone");
  const work = world().database.transaction(async (tx) => {
    await tx.script(script);
    await use({ ...world().database, read: async (read) => await read(tx.sql) });
    throw undone;
  });
  assertEquals(await work.catch((error) => error), undone);
}

Deno.test("loadRoleMatrix() drops permissions, roles and pairs unknown to this release", async () => {
  const [permission, role] = [ulid(), ulid()];
  const unknown = `
    insert into permissions values ('${permission}', 'record.destroy');
    insert into roles values ('${role}', 'ROOT');
    insert into role_permissions values
      ('${ROLE_IDS.SERVICE}', '${permission}'),
      ('${role}', '${PERMISSION_IDS["record.write"]}')`;
  await after(unknown, async (database) => {
    const matrix = await loadRoleMatrix(database);
    assertEquals([...matrix.keys()].sort(), ["EDITOR", "OWNER", "VIEWER"]);
    assertEquals([...matrix.get("OWNER") ?? []].sort(), [...PERMISSIONS].sort());
  });
});

Deno.test("checkAuthorizationIdentifiers() passes before its tables exist, and after", async () => {
  await using empty = await openEmpty();
  await checkAuthorizationIdentifiers(empty.database);
  await migrate(empty.database);
  await checkAuthorizationIdentifiers(empty.database);
  await empty.database.transaction((tx) =>
    tx.script(`insert into permissions values ('${ulid()}', 'record.destroy')`)
  );
  await checkAuthorizationIdentifiers(empty.database);
});

Deno.test("checkAuthorizationIdentifiers() rejects a taken name or identifier, and only reads", async () => {
  const unguarded = ["permissions", "roles", "role_permissions"]
    .map((table) => `alter table ${table} disable trigger append_only;`).join("\n");
  const { "record.read": read, "record.write": write } = PERMISSION_IDS;
  const conflicts = [
    `delete from role_permissions where permission_id = '${read}';
     update permissions set permission_id = '${ulid()}' where permission_id = '${read}'`,
    `update permissions set name = 'record.destroy' where permission_id = '${read}'`,
    `delete from role_permissions where permission_id = '${write}';
     delete from permissions where permission_id = '${write}';
     update permissions set name = 'record.write' where permission_id = '${read}'`,
    `delete from role_permissions where role_id = '${ROLE_IDS.OWNER}';
     update roles set role_id = '${ulid()}' where role_id = '${ROLE_IDS.OWNER}'`,
    `update roles set name = 'ROOT' where role_id = '${ROLE_IDS.VIEWER}'`,
  ];
  for (const conflict of conflicts) {
    await after(unguarded + conflict, async (database) => {
      const state = async () => {
        const [row] = await database.read((sql) =>
          sql`
            select (select json_agg(p) from permissions p) as permissions,
                   (select json_agg(r) from roles r) as roles,
                   (select max(version) from schema_migrations) as version`
        );
        return row;
      };
      const before = await state();
      await assertRejects(
        () => checkAuthorizationIdentifiers(database),
        AuthorizationIdentifierConflictError,
        "AUTHORIZATION_IDENTIFIER_CONFLICT",
      );
      assertEquals(await state(), before, conflict);
    });
  }
});

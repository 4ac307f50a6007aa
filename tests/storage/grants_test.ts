/** What an operator lets an account do, as every process then sees it at its next request. */

import { assertEquals } from "@std/assert";
import { listAccounts } from "../../src/accounts/administration.ts";
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole,
} from "../../src/accounts/grants.ts";
import { type Permission, PERMISSIONS, type Role } from "../../src/access/permissions.ts";
import { type Person, personOf, sharedWorld } from "../support/world.ts";
import { emailOf, eventContextOf, eventsOf, refusalOf } from "./operator.ts";

const world = sharedWorld();
const SERVICE_ONLY = "Single permissions are for accounts with the role SERVICE only";

/** What two processes say that a person may do, which must be the same. */
async function permissionsOf(person: Person): Promise<string[]> {
  const callers = [person, personOf(world().again(), person)];
  const answers = await Promise.all(
    callers.map((caller) => caller.call("GET", "/api/v2/auth/session")),
  );
  const [here, there] = answers.map((response) => response.body.data.permissions);
  assertEquals(here, there);
  return here;
}

function setRole(person: Person, role: Role): Promise<boolean> {
  return grantRole(world().database, emailOf(person), role, eventContextOf(world()));
}

function takeRole(person: Person, role: Role): Promise<boolean> {
  return revokeRole(world().database, emailOf(person), role, eventContextOf(world()));
}

function grant(person: Person, permission: Permission): Promise<boolean> {
  return grantPermission(world().database, emailOf(person), permission, eventContextOf(world()));
}

function take(person: Person, permission: Permission): Promise<boolean> {
  return revokePermission(world().database, emailOf(person), permission, eventContextOf(world()));
}

async function recordsStatus(person: Person): Promise<number> {
  return (await person.call("GET", "/api/v2/records/commitment")).status;
}

Deno.test("Granted role takes the place of the one before", async () => {
  const person = await world().person("OWNER");
  assertEquals(await permissionsOf(person), PERMISSIONS.toSorted());
  assertEquals(await setRole(person, "VIEWER"), true);
  const viewing = await permissionsOf(person);
  assertEquals([viewing.includes("record.read"), viewing.includes("record.write")], [true, false]);
  assertEquals(await setRole(person, "VIEWER"), false);
  assertEquals(await eventsOf(world(), person.accountId), ["ROLE_GRANTED ADMIN"]);
});

Deno.test("Account whose role is revoked may do nothing until it has another", async () => {
  const person = await world().person("EDITOR");
  assertEquals(await takeRole(person, "OWNER"), false);
  assertEquals(await recordsStatus(person), 200);
  assertEquals(await takeRole(person, "EDITOR"), true);
  assertEquals(await takeRole(person, "EDITOR"), false);
  assertEquals(await permissionsOf(person), []);
  assertEquals(await recordsStatus(person), 403);
  assertEquals(await eventsOf(world(), person.accountId), ["ROLE_REVOKED ADMIN"]);
  assertEquals(await setRole(person, "OWNER"), true);
  assertEquals(await recordsStatus(person), 200);
});

Deno.test("Service may do what it was granted, and no longer than that", async () => {
  const service = await world().person("SERVICE");
  assertEquals(await permissionsOf(service), []);
  assertEquals(await grant(service, "platform.operate"), true);
  assertEquals(await grant(service, "record.read"), true);
  assertEquals(await grant(service, "record.read"), false);
  assertEquals(await permissionsOf(service), ["platform.operate", "record.read"]);
  assertEquals(await recordsStatus(service), 200);
  const listed = (await listAccounts(world().database))
    .find(({ accountId }) => accountId === service.accountId);
  assertEquals(listed?.granted, ["platform.operate", "record.read"]);

  assertEquals(await take(service, "record.read"), true);
  assertEquals(await take(service, "record.read"), false);
  assertEquals(await recordsStatus(service), 403);
  assertEquals(await eventsOf(world(), service.accountId), [
    ...["PERMISSION_GRANTED ADMIN", "PERMISSION_GRANTED ADMIN", "PERMISSION_REVOKED ADMIN"],
  ]);
});

Deno.test("Single permissions are refused to every other role, and to none", async () => {
  for (const role of ["OWNER", "EDITOR", "VIEWER"] as const) {
    const person = await world().person(role);
    assertEquals(await refusalOf(grant(person, "record.write")), SERVICE_ONLY, role);
    assertEquals(await refusalOf(take(person, "record.read")), SERVICE_ONLY, role);
    await takeRole(person, role);
    assertEquals(await refusalOf(grant(person, "record.write")), SERVICE_ONLY, "no role");
    assertEquals(await permissionsOf(person), []);
  }
});

Deno.test("Account that becomes a service again begins without permissions", async () => {
  const service = await world().person("SERVICE");
  await grant(service, "platform.operate");
  await grant(service, "record.read");
  await setRole(service, "VIEWER");
  await setRole(service, "SERVICE");
  assertEquals(await permissionsOf(service), []);
  const events = await eventsOf(world(), service.accountId);
  assertEquals(events.filter((event) => event === "PERMISSION_REVOKED ADMIN").length, 2);
});

Deno.test("Unknown account is granted nothing", async () => {
  const nobody = { ...await world().person(), accountId: "nobody" };
  const commands = [
    ...[setRole(nobody, "OWNER"), takeRole(nobody, "OWNER")],
    ...[grant(nobody, "record.read"), take(nobody, "record.read")],
  ];
  for (const refusal of await Promise.all(commands.map(refusalOf))) {
    assertEquals(refusal, "No account has this email");
  }
});

Deno.test("Grants at once of one permission make one", async () => {
  const service = await world().person("SERVICE");
  const made = await Promise.all(Array.from({ length: 4 }, () => grant(service, "audit.read")));
  assertEquals(made.filter(Boolean).length, 1);
  assertEquals(await eventsOf(world(), service.accountId), ["PERMISSION_GRANTED ADMIN"]);
});

// engines: postgres
/** Grants, as every process sees them at its next request. */

import { assertEquals } from "@std/assert";
import { listAccounts } from "../../src/accounts/administration.ts";
import {
  grantPermission,
  grantRole,
  revokePermission,
  revokeRole,
} from "../../src/accounts/grants.ts";
import { type AccessRole, type Permission, PERMISSIONS } from "../../src/access/permissions.ts";
import { type Caller, callerOf, sharedWorld } from "../support/world.ts";
import { emailOf, eventContextOf, eventsOf, refusalOf } from "./operator.ts";

const world = sharedWorld();
const SERVICE_ONLY = "Single permissions are for accounts with the role SERVICE only";

/** Two processes must agree. */
async function permissionsOf(caller: Caller): Promise<string[]> {
  const callers = [caller, callerOf(world().again(), caller)];
  const answers = await Promise.all(
    callers.map((caller) => caller.call("GET", "/api/v2/auth/session")),
  );
  const [here, there] = answers.map((response) => response.body.data.permissions);
  assertEquals(here, there);
  return here;
}

function setRole(caller: Caller, role: AccessRole): Promise<boolean> {
  return grantRole(world().database, emailOf(caller), role, eventContextOf(world()));
}

function takeRole(caller: Caller, role: AccessRole): Promise<boolean> {
  return revokeRole(world().database, emailOf(caller), role, eventContextOf(world()));
}

function grant(caller: Caller, permission: Permission): Promise<boolean> {
  return grantPermission(world().database, emailOf(caller), permission, eventContextOf(world()));
}

function take(caller: Caller, permission: Permission): Promise<boolean> {
  return revokePermission(world().database, emailOf(caller), permission, eventContextOf(world()));
}

async function recordsStatus(caller: Caller): Promise<number> {
  return (await caller.call("GET", "/api/v2/records/commitment")).status;
}

Deno.test("Granted role replaces the one before", async () => {
  const caller = await world().createCaller("OWNER");
  assertEquals(await permissionsOf(caller), PERMISSIONS.toSorted());
  assertEquals(await setRole(caller, "VIEWER"), true);
  const viewing = await permissionsOf(caller);
  assertEquals([viewing.includes("record.read"), viewing.includes("record.write")], [true, false]);
  assertEquals(await setRole(caller, "VIEWER"), false);
  assertEquals(await eventsOf(world(), caller.accountId), ["ROLE_GRANTED ADMIN"]);
});

Deno.test("Account without a role may do nothing", async () => {
  const caller = await world().createCaller("EDITOR");
  assertEquals(await takeRole(caller, "OWNER"), false);
  assertEquals(await recordsStatus(caller), 200);
  assertEquals(await takeRole(caller, "EDITOR"), true);
  assertEquals(await takeRole(caller, "EDITOR"), false);
  assertEquals(await permissionsOf(caller), []);
  assertEquals(await recordsStatus(caller), 403);
  assertEquals(await eventsOf(world(), caller.accountId), ["ROLE_REVOKED ADMIN"]);
  assertEquals(await setRole(caller, "OWNER"), true);
  assertEquals(await recordsStatus(caller), 200);
});

Deno.test("Service account has exactly its grants", async () => {
  const service = await world().createCaller("SERVICE");
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
    "PERMISSION_GRANTED ADMIN",
    "PERMISSION_GRANTED ADMIN",
    "PERMISSION_REVOKED ADMIN",
  ]);
});

Deno.test("Every other role rejects single permissions", async () => {
  for (const role of ["OWNER", "EDITOR", "VIEWER"] as const) {
    const caller = await world().createCaller(role);
    assertEquals(await refusalOf(grant(caller, "record.write")), SERVICE_ONLY, role);
    assertEquals(await refusalOf(take(caller, "record.read")), SERVICE_ONLY, role);
    await takeRole(caller, role);
    assertEquals(await refusalOf(grant(caller, "record.write")), SERVICE_ONLY, "no role");
    assertEquals(await permissionsOf(caller), []);
  }
});

Deno.test("Account that becomes a service again starts without permissions", async () => {
  const service = await world().createCaller("SERVICE");
  await grant(service, "platform.operate");
  await grant(service, "record.read");
  await setRole(service, "VIEWER");
  await setRole(service, "SERVICE");
  assertEquals(await permissionsOf(service), []);
  const events = await eventsOf(world(), service.accountId);
  assertEquals(events.filter((event) => event === "PERMISSION_REVOKED ADMIN").length, 2);
});

Deno.test("Unknown account cannot be granted anything", async () => {
  const nobody = { ...await world().createCaller(), accountId: "nobody" };
  const commands = [
    setRole(nobody, "OWNER"),
    takeRole(nobody, "OWNER"),
    grant(nobody, "record.read"),
    take(nobody, "record.read"),
  ];
  for (const refusal of await Promise.all(commands.map(refusalOf))) {
    assertEquals(refusal, "No account has this email");
  }
});

Deno.test("Concurrent grants of one permission make one", async () => {
  const service = await world().createCaller("SERVICE");
  const made = await Promise.all(Array.from({ length: 4 }, () => grant(service, "audit.read")));
  assertEquals(made.filter(Boolean).length, 1);
  assertEquals(await eventsOf(world(), service.accountId), ["PERMISSION_GRANTED ADMIN"]);
});

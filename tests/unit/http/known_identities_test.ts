import { assert, assertEquals } from "@std/assert";
import { type Caller, isSameCaller } from "../../../src/access/identity.ts";
import { KnownCallers } from "../../../src/http/known_identities.ts";

const ACCOUNT = {
  accountId: "01KAGQ0000ACC0000000000001",
  email: "one@example.org",
  displayName: "One",
  role: "OWNER",
  createdAt: "2026-11-01T08:00:00.000Z",
} as const;
const CREDENTIAL = {
  kind: "SESSION",
  id: "01KAGQ0000SES0000000000001",
  expiresAt: "2026-12-01T08:00:00.000Z",
} as const;

function identity(differing: Partial<Caller> = {}): Caller {
  return {
    account: { ...ACCOUNT },
    credential: { ...CREDENTIAL },
    permissions: new Set(["platform.operate", "record.read"]),
    ...differing,
  };
}

/** Returns the assumed identity. */
async function lookUp(
  known: KnownCallers,
  secrets: string,
  outcome: Caller | null,
): Promise<Caller | null> {
  const found = outcome === null ? Promise.reject(new Error("refused")) : Promise.resolve(outcome);
  const assumed = known.assume(secrets, found);
  await found.catch(() => {});
  return assumed;
}

Deno.test("Identities are equal if nothing about them differs", () => {
  assert(isSameCaller(identity(), identity()));
  const others: Partial<Caller>[] = [
    ...Object.keys(ACCOUNT).map((name) => ({ account: { ...ACCOUNT, [name]: "other" } })),
    { account: { ...ACCOUNT, role: null } },
    { credential: { ...CREDENTIAL, kind: "TOKEN" } },
    { credential: { ...CREDENTIAL, id: "01KAGQ0000SES0000000000002" } },
    { credential: { ...CREDENTIAL, expiresAt: "2026-12-01T08:00:00.001Z" } },
    { permissions: new Set() },
    { permissions: new Set(["platform.operate"]) },
    { permissions: new Set(["platform.operate", "memory.read"]) },
    { permissions: new Set(["platform.operate", "record.read", "memory.read"]) },
  ];
  for (const differing of others) {
    const other = identity(differing);
    assertEquals(isSameCaller(identity(), other), false, JSON.stringify(other));
    assertEquals(isSameCaller(other, identity()), false, JSON.stringify(other));
  }
});

Deno.test("A credential is assumed to have its last identity until it is rejected", async () => {
  const known = new KnownCallers();
  const [bearer, cookie] = ["one", "one and two"];
  const [first, second] = [identity(), identity({ permissions: new Set() })];
  assertEquals(await lookUp(known, bearer, first), null);
  assertEquals(await lookUp(known, cookie, second), null);
  assertEquals(await lookUp(known, bearer, second), first);
  assertEquals(await lookUp(known, bearer, null), second);
  assertEquals(await lookUp(known, bearer, null), null);
  assertEquals(await lookUp(known, cookie, first), second);
});

Deno.test("Of many credentials a limited number of recent ones are cached", async () => {
  const known = new KnownCallers();
  for (let number = 0; number < 6_500; number++) {
    await lookUp(known, String(number), identity());
  }
  assertEquals(await lookUp(known, "6499", identity()), identity());
  assertEquals(await lookUp(known, "4500", identity()), identity());
  assertEquals(await lookUp(known, "0", identity()), null);
  assertEquals(await lookUp(known, "1999", identity()), null);
});

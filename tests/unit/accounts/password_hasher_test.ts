import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { PasswordHasher } from "../../../src/accounts/password_hasher.ts";

/** Quick for tests. */
const CHEAP = new PasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });
const REAL = new PasswordHasher();
const PASSWORD = "correct horse battery staple";

Deno.test("PasswordHasher.hash() keeps parameters, salt and hash, and never the password", async () => {
  const hash = await CHEAP.hash(PASSWORD, "known");
  assertMatch(hash, /^scrypt\$16\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  assertEquals(hash.includes(PASSWORD), false);
});

Deno.test("PasswordHasher.hash() uses a new salt for each hash", async () => {
  assertNotEquals(await CHEAP.hash(PASSWORD, "known"), await CHEAP.hash(PASSWORD, "known"));
});

Deno.test("PasswordHasher.hash() uses scrypt with N=2^17, r=8 and p=1", async () => {
  const hash = await REAL.hash(PASSWORD, "known");
  assertMatch(hash, /^scrypt\$131072\$8\$1\$/);
});

Deno.test("PasswordHasher.check() accepts the password and requests a hash at the current cost", async () => {
  const hash = await CHEAP.hash(PASSWORD, "known");
  assertEquals(await CHEAP.check(PASSWORD, hash, "known"), { matches: true, outdated: false });
  assertEquals(await REAL.check(PASSWORD, hash, "known"), { matches: true, outdated: true });
});

Deno.test("PasswordHasher.check() rejects every other password", async () => {
  const hash = await CHEAP.hash(PASSWORD, "known");
  const others = ["", PASSWORD + " ", PASSWORD.toUpperCase(), PASSWORD.slice(1)];
  for (const other of others) {
    assertEquals((await REAL.check(other, hash, "known")).matches, false, other);
  }
});

Deno.test("PasswordHasher.check() accepts equivalent spellings of the same characters", async () => {
  const pairs = [
    ["Ångström Ångström", "A\u030Angstro\u0308m A\u030Angstro\u0308m"],
    ["ﬁfty ﬂoating ﬁshes", "fifty floating fishes"],
    ["ＦＵＬＬ　ＷＩＤＴＨ！", "FULL WIDTH!"],
  ] as const;
  for (const [one, other] of pairs) {
    const hash = await CHEAP.hash(one, "known");
    assert((await REAL.check(other, hash, "known")).matches, other);
  }
});

Deno.test("PasswordHasher.check() works as long without an account, and rejects", async () => {
  assertEquals(await REAL.check(PASSWORD, null, "known"), { matches: false, outdated: false });
});

Deno.test("PasswordHasher.check() rejects stored texts that are not hashes", async () => {
  for (const stored of ["none", "", "bcrypt$1$2$3$salt$hash", "scrypt$16$8$1"]) {
    await assertRejects(() => REAL.check(PASSWORD, stored, "known"), Error, "Cannot read", stored);
  }
});

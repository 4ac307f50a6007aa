import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { PasswordHasher } from "../../../src/accounts/password_hasher.ts";

/** Far below what is used for real, so that tests are quick. */
const CHEAP = new PasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });
const REAL = new PasswordHasher();
const PASSWORD = "correct horse battery staple";

Deno.test("PasswordHasher.hash() keeps parameters, salt and hash, and never the password", async () => {
  const hash = await CHEAP.hash(PASSWORD, "known");
  assertMatch(hash, /^scrypt\$16\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  assertEquals(hash.includes(PASSWORD), false);
});

Deno.test("PasswordHasher.hash() salts each hash anew", async () => {
  assertNotEquals(await CHEAP.hash(PASSWORD, "known"), await CHEAP.hash(PASSWORD, "known"));
});

Deno.test("PasswordHasher.hash() uses scrypt with N=2^17, r=8 and p=1", async () => {
  const hash = await REAL.hash(PASSWORD, "known");
  assertMatch(hash, /^scrypt\$131072\$8\$1\$/);
  assertEquals(await REAL.check(PASSWORD, hash, "known"), { matches: true, outdated: false });
});

Deno.test("PasswordHasher.check() accepts the password and asks for a hash at the present cost", async () => {
  const hash = await CHEAP.hash(PASSWORD, "known");
  assertEquals(await REAL.check(PASSWORD, hash, "known"), { matches: true, outdated: true });
});

Deno.test("PasswordHasher.check() refuses every other password", async () => {
  const hash = await CHEAP.hash(PASSWORD, "known");
  const others = ["", PASSWORD + " ", PASSWORD.toUpperCase(), PASSWORD.slice(1)];
  for (const other of others) {
    assertEquals((await REAL.check(other, hash, "known")).matches, false, other);
  }
});

Deno.test("PasswordHasher.check() takes two ways to write the same characters for one", async () => {
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

Deno.test("PasswordHasher.check() works as hard without an account, and refuses", async () => {
  assertEquals(await REAL.check(PASSWORD, null, "known"), { matches: false, outdated: false });
});

Deno.test("PasswordHasher.check() takes no stored text that is not a hash", async () => {
  for (const stored of ["none", "", "bcrypt$1$2$3$salt$hash", "scrypt$16$8$1"]) {
    await assertRejects(() => REAL.check(PASSWORD, stored, "known"), Error, "Cannot read", stored);
  }
});

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { checkPassword, hashPassword } from "../../../src/access/passwords.ts";

/** Far below what is used for real, so that tests are quick. */
const CHEAP = { N: 2 ** 4, r: 8, p: 1 };
const PASSWORD = "correct horse battery staple";

Deno.test("hashPassword() keeps parameters, salt and hash, and never the password", async () => {
  const hash = await hashPassword(PASSWORD, CHEAP);
  assertMatch(hash, /^scrypt\$16\$8\$1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
  assertEquals(hash.includes(PASSWORD), false);
});

Deno.test("hashPassword() salts each hash anew", async () => {
  assertNotEquals(await hashPassword(PASSWORD, CHEAP), await hashPassword(PASSWORD, CHEAP));
});

Deno.test("hashPassword() uses scrypt with N=2^17, r=8 and p=1", async () => {
  const hash = await hashPassword(PASSWORD);
  assertMatch(hash, /^scrypt\$131072\$8\$1\$/);
  assertEquals(await checkPassword(PASSWORD, hash), { matches: true, outdated: false });
});

Deno.test("checkPassword() accepts the password and asks for a hash at the present cost", async () => {
  const hash = await hashPassword(PASSWORD, CHEAP);
  assertEquals(await checkPassword(PASSWORD, hash), { matches: true, outdated: true });
});

Deno.test("checkPassword() refuses every other password", async () => {
  const hash = await hashPassword(PASSWORD, CHEAP);
  const others = ["", PASSWORD + " ", PASSWORD.toUpperCase(), PASSWORD.slice(1)];
  for (const other of others) {
    assertEquals((await checkPassword(other, hash)).matches, false, other);
  }
});

Deno.test("checkPassword() takes two ways to write the same characters for one", async () => {
  const pairs = [
    ["Ångström Ångström", "A\u030Angstro\u0308m A\u030Angstro\u0308m"],
    ["ﬁfty ﬂoating ﬁshes", "fifty floating fishes"],
    ["ＦＵＬＬ　ＷＩＤＴＨ！", "FULL WIDTH!"],
  ] as const;
  for (const [one, other] of pairs) {
    const hash = await hashPassword(one, CHEAP);
    assert((await checkPassword(other, hash)).matches, other);
  }
});

Deno.test("checkPassword() works as hard without an account, and refuses", async () => {
  assertEquals(await checkPassword(PASSWORD, null), { matches: false, outdated: false });
});

Deno.test("checkPassword() takes no stored text that is not a hash", async () => {
  for (const stored of ["none", "", "bcrypt$1$2$3$salt$hash", "scrypt$16$8$1"]) {
    await assertRejects(() => checkPassword(PASSWORD, stored), Error, "Cannot read", stored);
  }
});

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { constantTimeEqual, hmacSha256, newSecret, sha256 } from "../../../src/core/digest.ts";

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

Deno.test("sha256() is the digest of a text's UTF-8 bytes", async () => {
  // FIPS 180-2, appendix B.
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assertEquals(hex(sha256("abc")), abc);
  assertEquals(
    hex(sha256("")),
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  const rocket = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("🚀"));
  assertEquals(hex(sha256("🚀")), hex(new Uint8Array(rocket)));
});

Deno.test("hmacSha256() is the code of RFC 4231", () => {
  const key = new Uint8Array(20).fill(0x0b);
  assertEquals(
    hex(hmacSha256(key, "Hi There")),
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  );
  const jefe = new TextEncoder().encode("Jefe");
  assertEquals(
    hex(hmacSha256(jefe, "what do ya want for nothing?")),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

Deno.test("constantTimeEqual() compares value and length", () => {
  const digest = sha256("secret");
  assert(constantTimeEqual(digest, sha256("secret")));
  assertFalse(constantTimeEqual(digest, sha256("guess")));
  assertFalse(constantTimeEqual(digest, digest.subarray(0, 31)));
  assertFalse(constantTimeEqual(new Uint8Array(), digest));
});

Deno.test("newSecret() makes 256 random bits with a prefix for their use", () => {
  for (const prefix of ["prs_s_", "prs_i_"] as const) {
    const secrets = new Set(Array.from({ length: 200 }, () => newSecret(prefix)));
    assertEquals(secrets.size, 200);
    for (const secret of secrets) {
      assertMatch(secret, new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`));
      assertEquals(Buffer.from(secret.slice(prefix.length), "base64url").length, 32);
    }
    // No position is constant.
    for (let at = prefix.length; at < prefix.length + 42; at++) {
      assert(new Set([...secrets].map((secret) => secret[at])).size > 8, `position ${at}`);
    }
  }
});

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { readPublicKey } from "../../../../src/accounts/passkeys/cose_key.ts";
import { cbor } from "../../../support/software_authenticator.ts";

// RFC 6979, A.2.5: P-256 with SHA-256, message "sample".
const P256 = {
  x: "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
  y: "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
  r: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
  s: "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
};

Deno.test("readPublicKey() verifies the ECDSA example of RFC 6979", async () => {
  const [x, y] = [Buffer.from(P256.x, "hex"), Buffer.from(P256.y, "hex")];
  const key = await readPublicKey(
    cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, x], [-3, y]])),
  );
  // Both numbers begin with a set bit, so DER writes a zero before each.
  const signature = Buffer.from(`3046022100${P256.r}022100${P256.s}`, "hex");
  assertEquals(key.algorithm, "ES256");
  assert(await key.verify(signature, Buffer.from("sample")));
  assertEquals(await key.verify(signature, Buffer.from("Sample")), false);
});

Deno.test("readPublicKey() verifies the Ed25519 example of RFC 8032", async () => {
  // Section 7.1, test 2.
  const x = Buffer.from("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "hex");
  const key = await readPublicKey(
    cbor(new Map<number, unknown>([[1, 1], [3, -8], [-1, 6], [-2, x]])),
  );
  const signature = Buffer.from(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
      "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    "hex",
  );
  assert(await key.verify(signature, Uint8Array.of(0x72)));
  assertEquals(await key.verify(signature, Uint8Array.of(0x73)), false);
});
